import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { localStorage } from '../storage/local.ts';
import { type FileJob, openFileRunner, type Sought } from './file-runner.ts';
import { type FileResult, unreadResult } from './file-scan.ts';

/** Below this many bytes starting threads costs more than they save (measured: two of them 0.3 to 0.4 s). */
const WORTH_THREADS = 50_000_000;
const MOST_THREADS = 8;

/** Runs jobs in threads, or one after the other in this one. */
export interface Workers {
  /** Jobs that can run at once. */
  readonly width: number;
  run(job: FileJob): Promise<FileResult>;
  close(): Promise<void>;
}

/**
 * Opens as many threads as are asked for: by default one per processor for large scans, none for small ones.
 *
 * @param options.workers 0 for none
 */
export async function openWorkers(
  sought: Sought,
  options: { readonly bytes: number; readonly workers?: number | undefined },
): Promise<Workers> {
  const wanted =
    options.workers ?? (options.bytes < WORTH_THREADS ? 0 : Math.min(availableParallelism(), MOST_THREADS));
  return wanted > 0 && (await canStartWorker()) ? threads(sought, wanted) : inThisThread(sought);
}

async function inThisThread(sought: Sought): Promise<Workers> {
  const run = await openFileRunner(sought);
  return { width: 1, run: async (job) => run(job), close: async () => {} };
}

/**
 * The thread's own file: built JavaScript, or TypeScript where the runtime itself reads it (Node 22.18 and later). What makes Node 20
 * read it (tsx) does so in the main thread alone: from its sources the library scans in one thread there. So it does in a program
 * that was bundled, whose file has none beside it.
 */
const isSource = import.meta.url.endsWith('.ts');
const workerFile = new URL(isSource ? './worker.ts' : './worker.js', import.meta.url);

async function canStartWorker(): Promise<boolean> {
  if (!isSource) return (await localStorage().statIfThere(fileURLToPath(workerFile))) !== null;
  return Boolean((process.features as { readonly typescript?: unknown }).typescript);
}

interface Waiting {
  readonly job: FileJob;
  readonly resolve: (result: FileResult) => void;
}

function threads(sought: Sought, count: number): Workers {
  const waiting: Waiting[] = [];
  const idle: Thread[] = [];
  const next = (thread: Thread): void => {
    const work = waiting.shift();
    if (work === undefined) idle.push(thread);
    else thread.start(work, next);
  };
  const all = Array.from({ length: count }, () => new Thread(sought));
  idle.push(...all);
  return {
    width: count,
    run: (job) =>
      new Promise((resolve) => {
        waiting.push({ job, resolve });
        const thread = idle.pop();
        if (thread !== undefined) next(thread);
      }),
    close: async () => {
      await Promise.all(all.map((thread) => thread.stop()));
    },
  };
}

/** A file that needs more than this of a thread's heap ends the thread, and not the process. */
const LIMITS = { maxOldGenerationSizeMb: 1024 };
/** A thread can end through no fault of the file that it reads; a second one would be too many. */
const TRIES = 2;

/**
 * A thread that does one job at a time. Where it ends early (out of memory), another takes its place and does the job again; where
 * that ends too, the file is not proven.
 */
class Thread {
  readonly #sought: Sought;
  /** Null after its end: the next job opens another. */
  #worker: Worker | null;
  #job: FileJob | null = null;
  #tries = 0;
  #done: ((result: FileResult) => void) | null = null;

  constructor(sought: Sought) {
    this.#sought = sought;
    this.#worker = this.#open();
  }

  start({ job, resolve }: Waiting, free: (thread: Thread) => void): void {
    this.#job = job;
    this.#tries = 0;
    this.#done = (result) => {
      this.#done = null;
      this.#job = null;
      resolve(result);
      free(this);
    };
    this.#try(job);
  }

  async stop(): Promise<void> {
    this.#done = null;
    this.#job = null;
    await this.#worker?.terminate();
  }

  #try(job: FileJob): void {
    this.#tries += 1;
    this.#worker ??= this.#open();
    this.#worker.postMessage(job);
  }

  #open(): Worker {
    const worker = new Worker(workerFile, {
      workerData: this.#sought,
      resourceLimits: LIMITS,
      // Built code needs no flag, and those of a program on the command line (`--input-type`) end a thread at once.
      ...(!isSource && { execArgv: [] }),
    });
    worker.on('message', (result: FileResult) => this.#done?.(result));
    // Without a listener an error would end the whole process; the exit that follows says all that is needed.
    worker.on('error', () => {});
    worker.on('exit', () => this.#ended());
    return worker;
  }

  #ended(): void {
    this.#worker = null;
    if (this.#job === null) return;
    if (this.#tries < TRIES) this.#try(this.#job);
    else this.#done?.(unreadResult('the thread that read it ended early, twice'));
  }
}
