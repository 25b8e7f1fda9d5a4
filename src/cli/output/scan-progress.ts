import type { ScanProgress } from '../../scan/index.ts';
import type { Progress } from './progress.ts';

/** Shows the progress of a scan, file by file (rule E9). */
export function scanProgress(progress: Progress): (at: ScanProgress) => void {
  return ({ table, files, filesDone }) =>
    progress.show({ stage: 'scan', item: table, done: filesDone, total: files });
}
