import { metadataOf, type TableMetadata } from '../../iceberg/metadata/metadata.ts';
import type { VendedAccess } from '../vended.ts';
import { badAnswer } from './failures.ts';

/** A table as a catalog answers it. */
export interface TableAnswer {
  readonly metadata: TableMetadata;
  readonly metadataFile: string;
  /** What it hands out for the table's files. */
  readonly vended: readonly VendedAccess[];
}

/**
 * Reads `LoadTableResult` and `CommitTableResponse`.
 *
 * @throws FailedError `catalog/bad-answer`, `iceberg/damaged-metadata`; RefusedError for what Lethe does not support
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
  const config = { ...properties, ...textsOf(document.config) };
  return {
    metadata,
    metadataFile: file,
    vended: [
      { prefix: metadata.location, config },
      ...credentialsOf(document['storage-credentials'], config),
    ],
  };
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

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
