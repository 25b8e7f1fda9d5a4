import { parentPort, workerData } from 'node:worker_threads';
import { type FileJob, openFileRunner, type Sought } from './file-runner.ts';
import { type FileResult, unreadResult } from './file-scan.ts';
import { whyUnread } from './unread.ts';

/** The thread that scans files for {@link openWorkers}: a job in, its result out. */
const run = await openFileRunner(workerData as Sought);

parentPort?.on('message', (job: FileJob) => {
  parentPort?.postMessage(result(job));
});

function result(job: FileJob): FileResult {
  try {
    return run(job);
  } catch (error) {
    return unreadResult(whyUnread(error));
  }
}
