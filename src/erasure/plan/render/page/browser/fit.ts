/** How a text looks, for measuring it. */
export interface Font {
  readonly size: number;
  readonly weight?: number;
}

const context = document.createElement('canvas').getContext('2d');
const family = getComputedStyle(document.body).fontFamily;

/** A text that is no wider than a place: a name keeps both its ends, where names differ, and words keep their beginning. */
export function fitted(text: string, width: number, font: Font, keeps: 'ends' | 'start'): string {
  if (context === null) return text;
  context.font = `${font.weight ?? 400} ${font.size}px ${family}`;
  const wide = (part: string): number => context.measureText(part).width;
  if (wide(text) <= width) return text;
  const characters = [...text];
  let [fits, most] = [1, characters.length - 1];
  while (fits < most) {
    const middle = Math.ceil((fits + most) / 2);
    if (wide(cut(characters, middle, keeps)) <= width) fits = middle;
    else most = middle - 1;
  }
  return cut(characters, fits, keeps);
}

function cut(characters: readonly string[], length: number, keeps: 'ends' | 'start'): string {
  const head = keeps === 'start' ? length : Math.ceil(length / 3);
  const tail = length - head;
  return `${characters.slice(0, head).join('')}…${tail === 0 ? '' : characters.slice(-tail).join('')}`;
}
