/** A count for people: `100,000`. */
export const count = (value: number): string => String(value).replace(/\B(?=(\d{3})+$)/g, ',');

/** `1 row`, `2 rows`. */
export const counted = (value: number, one: string, many: string = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;
