import { describeAll } from '../../warehouse/describe-all.ts';
import type { Warehouse } from '../../warehouse/warehouse.ts';
import type { TextTrace } from '../traces.ts';
import { traceText } from './trace-text.ts';
import { smallestTruncation } from './truncation.ts';

/**
 * The traces of values that are kept elsewhere (rule S1): cut to the smallest length to which bounds are cut in any table, as those of
 * `noteTraces` are. Blank values have none. Whether other people have such a value, nobody can tell any more.
 */
export async function textTraces({
  warehouse,
  values,
}: {
  readonly warehouse: Pick<Warehouse, 'list' | 'describe'>;
  readonly values: readonly string[];
}): Promise<readonly TextTrace[]> {
  const kept = smallestTruncation(await describeAll(warehouse));
  return values.flatMap((value) => {
    const trace = traceText(value, kept);
    return trace === null ? [] : [{ ...trace, shared: false }];
  });
}
