import * as z from 'zod';
import { FailedError } from '../errors.ts';
import { parseJson, stringifyJson } from '../values/json.ts';
import { literalSchema } from '../values/literal-schema.ts';
import { makeTraces } from './make-traces.ts';
import type { Traces } from './traces.ts';

const VERSION = 1;

const sealed = z.object({
  version: z.literal(VERSION),
  subject: z.string(),
  texts: z.array(z.object({ text: z.string(), wholeCell: z.boolean(), shared: z.boolean() })),
  ids: z.array(
    z.object({
      table: z.string().nullable(),
      columns: z.array(z.string()),
      values: z.array(z.array(literalSchema.nullable())),
      expectedIn: z.array(z.string()),
      shared: z.boolean(),
    }),
  ),
  hashes: z.array(z.object({ hash: z.string(), shared: z.boolean() })),
});

/**
 * Writes traces as bytes for the one private file that outlives the process between the first delete and the end of the scan (rule
 * E4). It holds values of the person: keep it readable by its owner alone (mode 0600) and remove it afterwards.
 */
export function sealTraces(traces: Traces): Uint8Array {
  const content = {
    version: VERSION,
    subject: traces.subject,
    texts: traces.texts.reveal(),
    ids: traces.ids.reveal(),
    hashes: traces.hashes.reveal(),
  };
  return new TextEncoder().encode(stringifyJson(content));
}

/**
 * Reads what {@link sealTraces} wrote.
 *
 * @throws FailedError `scan/damaged-traces` for anything else; the message shows no content
 */
export function openTraces(bytes: Uint8Array): Traces {
  const content = sealed.safeParse(json(bytes));
  if (!content.success) throw damaged();
  const { subject, texts, ids, hashes } = content.data;
  return makeTraces({ subject, texts, ids, hashes });
}

function json(bytes: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder().decode(bytes));
  } catch {
    throw damaged();
  }
}

function damaged(): FailedError {
  return new FailedError('scan/damaged-traces', 'The file of traces is damaged or of another version', {
    remedy: 'Note the traces again from a state of the tables before the erasure, or pass them with --traces',
  });
}
