const NEWLINE = 0x0a;
const RETURN = 0x0d;

/** Cuts bytes that come in parts into lines, without their ends. A line of any length costs its own length only. */
export class Lines {
  readonly #take: (line: Buffer) => void;
  /** The parts of a line whose end has not come yet. */
  #open: Buffer[] = [];

  constructor(take: (line: Buffer) => void) {
    this.#take = take;
  }

  /** Takes the next bytes and passes on every line that ends in them; nothing of them is kept. */
  part(bytes: Uint8Array): void {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let from = 0;
    for (let at = buffer.indexOf(NEWLINE); at >= 0; at = buffer.indexOf(NEWLINE, from)) {
      this.#line(buffer.subarray(from, at));
      from = at + 1;
    }
    if (from < buffer.length) this.#open.push(Buffer.from(buffer.subarray(from)));
  }

  /** Passes on what stands behind the last line end. */
  end(): void {
    if (this.#open.length > 0) this.#line(Buffer.alloc(0));
  }

  #line(last: Buffer): void {
    const line = this.#open.length === 0 ? last : Buffer.concat([...this.#open, last]);
    this.#open = [];
    this.#take(line[line.length - 1] === RETURN ? line.subarray(0, -1) : line);
  }
}
