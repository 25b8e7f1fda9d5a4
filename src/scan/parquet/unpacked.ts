import { Unread } from '../unread.ts';
import type { Unpack } from './codecs.ts';
import type { Chunk } from './footer.ts';
import { levelsV1, levelsV2 } from './levels.ts';
import type { Page } from './pages.ts';

/** The values of a page, unpacked, behind its levels. */
export interface Unpacked {
  readonly bytes: Uint8Array;
  /** Values that are there; nulls take no room. */
  readonly count: number;
  /** Definition levels, one for each value and null; null where the column cannot have nulls. */
  definitions(): Uint32Array | null;
}

/** Unpacks a dictionary or data page and takes its levels off. Throws {@link Unread}. */
export function unpackPage(page: Page, chunk: Chunk, unpack: Unpack): Unpacked {
  if (page.kind === 'data') return version1(page, chunk, unpack);
  if (page.kind === 'data-v2') return version2(page, chunk, unpack);
  const bytes = unpack(chunk.codec, page.body, page.unpackedSize);
  return { bytes, count: page.values, definitions: () => null };
}

function version1(page: Page, chunk: Chunk, unpack: Unpack): Unpacked {
  const bytes = unpack(chunk.codec, page.body, page.unpackedSize);
  const repetition = levelsV1(bytes, 0, {
    most: chunk.maxRepetition,
    encoding: page.repetitionEncoding,
    count: page.values,
  });
  const definition = levelsV1(bytes, repetition.end, {
    most: chunk.maxDefinition,
    encoding: page.definitionEncoding,
    count: page.values,
  });
  return {
    bytes: bytes.subarray(definition.end),
    count: definition.full,
    definitions: definition.all,
  };
}

function version2(page: Page, chunk: Chunk, unpack: Unpack): Unpacked {
  const levels = page.repetitionBytes + page.definitionBytes;
  const rest = page.body.subarray(levels);
  const size = page.unpackedSize - levels;
  if (size < 0) throw new Unread('a page header is damaged');
  const definition = levelsV2(page.body.subarray(page.repetitionBytes, levels), {
    most: chunk.maxDefinition,
    count: page.values,
  });
  // A page of nulls alone may have no body at all, whatever it says of packing.
  const bytes = page.packed && rest.length > 0 ? unpack(chunk.codec, rest, size) : rest;
  return { bytes, count: definition.full, definitions: definition.all };
}
