import type { StagedScrub } from '../table-format.ts';
import type { CommitNote } from '../warehouse.ts';
import type { StageContext } from './stage.ts';

export async function stageScrub(_context: StageContext, _note: CommitNote): Promise<StagedScrub | null> {
  return null;
}
