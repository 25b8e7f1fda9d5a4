import { InputError } from '../../errors.ts';
import type { Traces } from '../../scan/traces.ts';
import { StateFolder } from './state-folder.ts';

/**
 * The traces of a request that has begun and is not over, for a scan by hand. They are private, and gone once the request
 * ends clean. Throws `erasure/no-traces`.
 */
export async function storedTraces(options: {
  /** The private folder of the jobs. */
  readonly state: string;
  readonly request: string;
}): Promise<Traces> {
  const traces = await new StateFolder(options.state).traces(options.request);
  if (traces !== null) return traces;
  throw new InputError('erasure/no-traces', `There are no traces of ${JSON.stringify(options.request)}`, {
    remedy: 'It has not begun here, or is over: pass what to look for as ids, or from a file of traces',
    data: { request: options.request },
  });
}
