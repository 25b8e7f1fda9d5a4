import { found } from './dom.ts';

const LEAST = 0.04;
const MOST = 2.5;
/** Below this names alone are drawn, larger. */
const FAR = 0.5;
const MARGIN = 24;

/** A rectangle of the picture: x, y, width, height. */
export type Box = readonly [number, number, number, number];

/** The window on a picture that is larger than it: moved by dragging and the wheel, scaled by pinching, buttons and keys. */
export class Viewport {
  readonly #frame: SVGSVGElement;
  readonly #world: SVGGElement;
  #x = 0;
  #y = 0;
  #scale = 1;

  constructor(frame: SVGSVGElement, world: SVGGElement) {
    this.#frame = frame;
    this.#world = world;
    frame.addEventListener('wheel', (event) => this.#wheel(event), { passive: false });
    frame.addEventListener('pointerdown', (event) => this.#drag(event));
  }

  /** Shows a box whole, in the middle, and no larger than it is. */
  fit([x, y, width, height]: Box): void {
    const [wide, tall] = this.#free();
    const scale = Math.min((wide - 2 * MARGIN) / width, (tall - 2 * MARGIN) / height, 1);
    this.#scale = Math.min(MOST, Math.max(LEAST, scale));
    this.#x = wide / 2 - (x + width / 2) * this.#scale;
    this.#y = tall / 2 - (y + height / 2) * this.#scale;
    this.#apply();
  }

  /** Brings boxes into sight together, if they can be read then; else the one that matters most. */
  show(boxes: readonly Box[], most: Box): void {
    const [wide, tall] = this.#free();
    const around = union(boxes);
    const [left, top] = [this.#x + around[0] * this.#scale, this.#y + around[1] * this.#scale];
    const [right, bottom] = [left + around[2] * this.#scale, top + around[3] * this.#scale];
    if (this.#scale >= FAR && left >= 0 && top >= 0 && right <= wide && bottom <= tall) return;
    const scale = Math.min((wide - 2 * MARGIN) / around[2], (tall - 2 * MARGIN) / around[3]);
    if (scale >= FAR) this.fit(around);
    else this.reveal(most);
  }

  /** Moves no more than it must until a box is in sight, and comes near enough to read it. */
  reveal(box: Box): void {
    const [wide, tall] = this.#free();
    if (this.#scale < FAR) {
      this.#scale = 0.85;
      this.#x = wide / 2 - (box[0] + box[2] / 2) * this.#scale;
      this.#y = tall / 2 - (box[1] + box[3] / 2) * this.#scale;
    }
    this.#x += within(this.#x + box[0] * this.#scale, box[2] * this.#scale, wide);
    this.#y += within(this.#y + box[1] * this.#scale, box[3] * this.#scale, tall);
    this.#apply();
  }

  /** Scales about a point of the frame; its middle where none is given. */
  zoom(by: number, point?: { readonly x: number; readonly y: number }): void {
    const { width, height } = this.#frame.getBoundingClientRect();
    const { x, y } = point ?? { x: width / 2, y: height / 2 };
    const scale = Math.min(MOST, Math.max(LEAST, this.#scale * by));
    this.#x = x - ((x - this.#x) * scale) / this.#scale;
    this.#y = y - ((y - this.#y) * scale) / this.#scale;
    this.#scale = scale;
    this.#apply();
  }

  /** The width and height that nothing covers. */
  #free(): readonly [number, number] {
    const { width, height } = this.#frame.getBoundingClientRect();
    return [width, height - found('foot').offsetHeight];
  }

  #apply(): void {
    this.#world.setAttribute('transform', `translate(${this.#x} ${this.#y}) scale(${this.#scale})`);
    this.#frame.classList.toggle('far', this.#scale < FAR);
  }

  #wheel(event: WheelEvent): void {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey) {
      const { left, top } = this.#frame.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 200), { x: event.clientX - left, y: event.clientY - top });
      return;
    }
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    this.#x -= event.deltaX * lines;
    this.#y -= event.deltaY * lines;
    this.#apply();
  }

  #drag(start: PointerEvent): void {
    if (start.button !== 0) return;
    const [x, y] = [this.#x - start.clientX, this.#y - start.clientY];
    const move = (event: PointerEvent): void => {
      if (event.buttons === 0) {
        stop();
        return;
      }
      this.#frame.classList.add('dragged');
      this.#x = x + event.clientX;
      this.#y = y + event.clientY;
      this.#apply();
    };
    const stop = (): void => {
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', stop);
      this.#frame.classList.remove('dragged');
    };
    addEventListener('pointermove', move);
    addEventListener('pointerup', stop);
  }
}

function union(boxes: readonly Box[]): Box {
  const x = Math.min(...boxes.map((box) => box[0]));
  const y = Math.min(...boxes.map((box) => box[1]));
  const right = Math.max(...boxes.map((box) => box[0] + box[2]));
  const bottom = Math.max(...boxes.map((box) => box[1] + box[3]));
  return [x, y, right - x, bottom - y];
}

/** How far a stretch has to move to lie in a window of some size; its start counts where it is larger. */
function within(start: number, size: number, window: number): number {
  if (start < MARGIN || size > window - 2 * MARGIN) return MARGIN - start;
  return Math.min(0, window - MARGIN - size - start);
}
