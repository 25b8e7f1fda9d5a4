import * as z from 'zod';
import { textOf } from '../../governance/folder.ts';
import { parseJson } from '../../values/json.ts';
import { bundleFiles } from './evidence-folder.ts';
import { digestOf } from './seal.ts';

/** The chain as far as it could be checked. */
export interface EvidenceCheck {
  readonly bundles: readonly { readonly file: string; readonly request: string; readonly digest: string }[];
  /** What is wrong; empty where every file is as it was written and none between two is missing. */
  readonly problems: readonly EvidenceProblem[];
}

export interface EvidenceProblem {
  readonly file: string;
  /** `unreadable`, `changed`, `gap`, `broken-chain`, or `end-missing`. */
  readonly code: string;
  readonly what: string;
}

const bundle = z.looseObject({
  schemaVersion: z.literal(1),
  request: z.string(),
  digest: z.string(),
  previous: z.string().nullable(),
});

/**
 * Verifies the evidence in a folder offline (rule E8): each file hashes to its digest and names the digest of the file
 * before it. A chain that was cut off at its end looks whole, unless `last`, the newest digest that was noted elsewhere, is
 * given.
 */
export async function checkEvidence(
  folder: string,
  { last }: { readonly last?: string } = {},
): Promise<EvidenceCheck> {
  const bundles: { file: string; request: string; digest: string }[] = [];
  const problems: EvidenceProblem[] = [];
  let previous: string | null = null;
  let expected = 1;
  for (const { file, number } of await bundleFiles(folder)) {
    const problem = (code: string, what: string): unknown => problems.push({ file, code, what });
    if (number < expected) problem('gap', 'another file has its place in the chain');
    if (number > expected) problem('gap', `${number - expected} file(s) before it are missing`);
    expected = number + 1;
    const read = await readBundle(file);
    if (read === null) {
      problem('unreadable', 'it is no evidence of a known version');
      continue;
    }
    if (digestOf(read) !== read.digest) problem('changed', 'its content does not hash to its digest');
    if (read.previous !== previous)
      problem('broken-chain', 'it does not name the digest of the file before it');
    previous = read.digest;
    bundles.push({ file, request: read.request, digest: read.digest });
  }
  if (last !== undefined && !bundles.some((each) => each.digest === last)) {
    problems.push({
      file: folder,
      code: 'end-missing',
      what: 'the newest evidence that was noted is not there',
    });
  }
  return { bundles, problems };
}

/** As it stands in the file: nothing that was added may escape the digest, as `__proto__` escapes a schema. */
async function readBundle(file: string): Promise<z.infer<typeof bundle> | null> {
  try {
    const read = parseJson(await textOf(file));
    return bundle.safeParse(read).success ? (read as z.infer<typeof bundle>) : null;
  } catch {
    return null;
  }
}
