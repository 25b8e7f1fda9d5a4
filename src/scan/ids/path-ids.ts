import { percentDecoded } from '../text/variants.ts';
import type { Verdict } from '../text/verdict.ts';
import type { FileTable, IdSearch } from './id-search.ts';

/** A file's suffix, behind an id that names a file. */
const SUFFIX = /(\.[a-z]\w*)+$/i;
const PART = /([^/=,&?\s]+)=([^/,&?]*)/g;

/**
 * Ids in a path or a summary key: partition folders are named `column=value`, both percent-encoded. Calls `onPart` with
 * the part of the text that holds one.
 */
export function searchPathIds(
  text: string,
  { ids, table, verdict }: { readonly ids: IdSearch; readonly table: FileTable; readonly verdict: Verdict },
  onPart?: (value: string) => void,
): void {
  for (const [, name, value] of text.matchAll(PART)) {
    const column = { name: percentDecoded(name!).replace(/^partitions\./, '') };
    const lookups = ids.lookups(table, column, { kind: 'text' });
    if (lookups === null) continue;
    for (const part of [value!, value!.replace(SUFFIX, '')]) {
      const found = lookups.text(percentDecoded(part));
      if (found === undefined) continue;
      verdict.add(found);
      onPart?.(part);
    }
  }
}
