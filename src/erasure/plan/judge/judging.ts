import type { TableKeys } from '../keys/table-keys.ts';
import type { PlanModel } from '../model/model.ts';
import type { Reach } from '../model/reach.ts';
import type { DeclaredIds } from '../model/subject.ts';
import type { Verdicts } from './verdicts.ts';

/** What tables are judged with. */
export interface Judging {
  readonly model: PlanModel;
  readonly reach: Reach;
  readonly keys: TableKeys;
  readonly ids: DeclaredIds;
  /** Of the sources, as far as they are known. */
  readonly verdicts: Verdicts;
}
