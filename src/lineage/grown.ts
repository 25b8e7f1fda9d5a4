/** A bigger copy of a table of numbers, twice its size unless `size` says otherwise; what is new holds `fill`. */
export function grown(
  array: Int32Array,
  { size = array.length * 2, fill = 0 }: { readonly size?: number; readonly fill?: number } = {},
): Int32Array<ArrayBuffer> {
  const bigger = new Int32Array(size);
  bigger.set(array);
  return fill === 0 ? bigger : bigger.fill(fill, array.length);
}
