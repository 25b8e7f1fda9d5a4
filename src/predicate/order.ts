/** The order of SQL: NaN equals itself and is greater than every number, text goes by code point. */
export function order(a: bigint | number | string | boolean, b: bigint | number | string | boolean): number {
  if (typeof a === 'string' && typeof b === 'string') return textOrder(a, b);
  if (a < b) return -1;
  if (a > b) return 1;
  return Number(Number.isNaN(a)) - Number(Number.isNaN(b));
}

/** UTF-16 puts characters past U+FFFF before U+E000 to U+FFFF; code points, like UTF-8 bytes, do not. */
function textOrder(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return codeUnitRank(x) - codeUnitRank(y);
  }
  return a.length - b.length;
}

function codeUnitRank(unit: number): number {
  const surrogate = unit >= 0xd800 && unit <= 0xdfff;
  return surrogate ? unit + 0x10000 : unit;
}
