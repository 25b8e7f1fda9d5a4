import type { FileStat } from '../../storage/storage.ts';

/** What was read of the files used last, for as long as the storage says that they are what they were. */
export class Unchanged<T> {
  readonly #mostBytes: number;
  readonly #known = new Map<string, { readonly file: FileStat; readonly value: T }>();
  #bytes = 0;

  /** `mostBytes` is how large the remembered files may be together. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** What `read` gave for this content of the file; it reads again where the storage does not tell contents apart. */
  async of(file: FileStat, read: (location: string) => Promise<T>): Promise<T> {
    const { location, version } = file;
    const known = this.#forget(location);
    const same = version !== undefined && known?.file.version === version;
    const value = same ? known.value : await read(location);
    if (version !== undefined) this.#remember(file, value);
    return value;
  }

  #forget(location: string): { readonly file: FileStat; readonly value: T } | undefined {
    const known = this.#known.get(location);
    if (this.#known.delete(location)) this.#bytes -= known?.file.size ?? 0;
    return known;
  }

  #remember(file: FileStat, value: T): void {
    this.#forget(file.location);
    this.#known.set(file.location, { file, value });
    this.#bytes += file.size;
    for (const location of this.#known.keys()) {
      if (this.#bytes <= this.#mostBytes) break;
      this.#forget(location);
    }
  }
}
