import type { RefusedError } from '../../../errors.ts';
import { isObject } from '../../../values/is-object.ts';
import { metadataOf, type TableMetadata } from '../../iceberg/metadata/metadata.ts';
import { hasKeys, type VendedAccess } from '../vended.ts';
import { badAnswer, unsupported } from './failures.ts';

/** A table as a catalog answers it. */
export interface TableAnswer {
  readonly metadata: TableMetadata;
  readonly metadataFile: string;
  /** What it hands out for the table's files. */
  readonly vended: readonly VendedAccess[];
  /** A token for further requests about the table. */
  readonly token: string | undefined;
}

/**
 * Reads `LoadTableResult` and `CommitTableResponse`.
 *
 * @throws FailedError `catalog/bad-answer`, `iceberg/damaged-metadata`; RefusedError `catalog/unsupported` where the catalog wants to
 * sign each request for a file itself, and others for what Lethe does not support
 */
export function tableAnswer(
  document: unknown,
  { server, properties }: { readonly server: string; readonly properties: Readonly<Record<string, string>> },
): TableAnswer {
  if (!isObject(document) || !isObject(document.metadata))
    throw badAnswer(server, 'answers without metadata of the table');
  const file = document['metadata-location'];
  if (typeof file !== 'string' || file === '')
    throw badAnswer(server, 'answers without the place of the metadata');
  const metadata = metadataOf(file, document.metadata);
  const own = textsOf(document.config);
  const config = { ...properties, ...own };
  const vended = [
    { prefix: metadata.location, config },
    ...credentialsOf(document['storage-credentials'], config),
  ];
  if (config['s3.remote-signing-enabled']?.toLowerCase() === 'true' && !vended.some(hasKeys))
    throw remoteSigning(server, metadata.location);
  return { metadata, metadataFile: file, vended, token: own.token };
}

/** Reads `storage-credentials`: each goes over what holds for the whole table. */
export function credentialsOf(
  list: unknown,
  common: Readonly<Record<string, string>>,
): readonly VendedAccess[] {
  return (Array.isArray(list) ? list : []).flatMap((item: unknown) =>
    isObject(item) && typeof item.prefix === 'string'
      ? [{ prefix: item.prefix, config: { ...common, ...textsOf(item.config) } }]
      : [],
  );
}

function textsOf(value: unknown): Readonly<Record<string, string>> {
  if (!isObject(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function remoteSigning(server: string, location: string): RefusedError {
  return unsupported(server, `wants to sign each request for the files under ${location} itself`, {
    remedy: 'Nothing was read there. Let the catalog hand out keys (vended credentials) instead of signing',
    data: { location },
  });
}
