import { IdSearch, NO_TABLE } from '../../scan/ids/id-search.ts';
import { Mask } from '../../scan/mask.ts';
import { TextSearch } from '../../scan/text/text-search.ts';
import type { Traces } from '../../scan/traces.ts';
import type { YoungFile } from './evidence.ts';

/** The files with `***` where their location holds a trace (rule E3): a partition's folder is named for its values. */
export function maskPaths(files: readonly YoungFile[], traces: Traces): readonly YoungFile[] {
  const mask = new Mask(new TextSearch(traces.texts.reveal()), new IdSearch(traces.ids.reveal()));
  return files.map((file) => {
    const fileTable = { ...NO_TABLE, table: file.table };
    return { ...file, file: mask.path(file.file, fileTable) };
  });
}
