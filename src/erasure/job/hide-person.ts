import { isDeepStrictEqual } from 'node:util';
import { FailedError, InputError, LetheError, RefusedError } from '../../errors.ts';
import { IdSearch, NO_TABLE } from '../../scan/ids/id-search.ts';
import { Mask } from '../../scan/mask.ts';
import { TextSearch } from '../../scan/text/text-search.ts';
import type { Traces } from '../../scan/traces.ts';

const KINDS = { input: InputError, refused: RefusedError, failed: FailedError } as const;

/**
 * The same error with `***` where it names the person (rule E3): a file that cannot be removed is named by its path, and the path of
 * a copy that somebody made can hold a value. Other errors pass; what they say is not shown by the command line.
 */
export function hidePerson(error: unknown, traces: Traces): unknown {
  if (!(error instanceof LetheError)) return error;
  const hide = hiding(traces);
  const shown = { message: hide(error.message), data: hideIn(error.data, hide) };
  if (shown.message === error.message && isDeepStrictEqual(shown.data, error.data)) return error;
  return new KINDS[error.kind](error.code, hide(error.reason), {
    remedy: hide(error.remedy),
    data: shown.data as LetheError['data'],
  });
}

/** Shows a text with `***` where it names the person. */
export function hiding(traces: Traces): (text: string) => string {
  const mask = new Mask(new TextSearch(traces.texts.reveal()), new IdSearch(traces.ids.reveal()));
  const path = (text: string): string => mask.path(text, NO_TABLE);
  // Word by word first: a value that ends a path ends at the blank. Then as a whole, for names with blanks in them.
  return (text) => path(text.split(/(\s+)/).map(path).join(''));
}

function hideIn(data: unknown, hide: (text: string) => string): unknown {
  if (typeof data === 'string') return hide(data);
  if (Array.isArray(data)) return data.map((item) => hideIn(item, hide));
  if (typeof data !== 'object' || data === null) return data;
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, hideIn(value, hide)]));
}
