import avsc from 'avsc';

const field = (name: string, type: unknown, id: number): object => ({ name, type, 'field-id': id });
const optional = (type: unknown): unknown[] => ['null', type];
const intMap = (key: number, value: number, type: string): object => ({
  type: 'array',
  logicalType: 'map',
  items: {
    type: 'record',
    name: `k${key}_v${value}`,
    fields: [field('key', 'int', key), field('value', type, value)],
  },
});

/** A manifest's schema as the specification numbers it, written by hand. */
function manifestSchema(partition: readonly object[]): object {
  return {
    type: 'record',
    name: 'manifest_entry',
    fields: [
      field('status', 'int', 0),
      field('snapshot_id', optional('long'), 1),
      field(
        'data_file',
        {
          type: 'record',
          name: 'r2',
          fields: [
            field('content', 'int', 134),
            field('file_path', 'string', 100),
            field('file_format', 'string', 101),
            field('partition', { type: 'record', name: 'r102', fields: partition }, 102),
            field('record_count', 'long', 103),
            field('lower_bounds', optional(intMap(126, 127, 'bytes')), 125),
            field('upper_bounds', optional(intMap(129, 130, 'bytes')), 128),
            field('referenced_data_file', optional('string'), 143),
          ],
        },
        2,
      ),
    ],
  };
}

export interface ManifestEntry {
  readonly status?: number;
  readonly content?: number;
  readonly path?: string;
  readonly partition?: Readonly<Record<string, unknown>>;
  /** By field id. */
  readonly lower?: Readonly<Record<number, Uint8Array>>;
  readonly upper?: Readonly<Record<number, Uint8Array>>;
  readonly referenced?: string;
}

export interface ManifestDefinition {
  readonly schema: readonly { readonly id: number; readonly name: string; readonly type: string }[];
  /** Partition fields: id, name, source column, transform, and the Avro type of the value. */
  readonly spec?: readonly { id: number; name: string; source: number; transform: string; type: unknown }[];
  readonly entries: readonly ManifestEntry[];
}

/** Writes a manifest with `avsc`, which knows nothing of the library's own Avro. */
export async function manifest({ schema, spec = [], entries }: ManifestDefinition): Promise<Buffer> {
  const avro = manifestSchema(spec.map(({ id, name, type }) => field(name, optional(type), id)));
  const bounds = (map: Readonly<Record<number, Uint8Array>> | undefined): readonly object[] | null =>
    map === undefined
      ? null
      : Object.entries(map).map(([key, value]) => ({ key: Number(key), value: Buffer.from(value) }));
  return container(
    avro,
    {
      schema: JSON.stringify({
        type: 'struct',
        'schema-id': 0,
        fields: schema.map((column) => ({ ...column, required: false })),
      }),
      'partition-spec': JSON.stringify(
        spec.map(({ id, name, source, transform }) => ({
          'field-id': id,
          name,
          'source-id': source,
          transform,
        })),
      ),
      'partition-spec-id': '0',
      'format-version': '2',
      content: 'data',
    },
    entries.map((entry) => ({
      status: entry.status ?? 1,
      snapshot_id: null,
      data_file: {
        content: entry.content ?? 0,
        file_path: entry.path ?? '/nowhere/data.parquet',
        file_format: 'PARQUET',
        partition: Object.fromEntries(spec.map(({ name }) => [name, entry.partition?.[name] ?? null])),
        record_count: 1,
        lower_bounds: bounds(entry.lower),
        upper_bounds: bounds(entry.upper),
        referenced_data_file: entry.referenced ?? null,
      },
    })),
  );
}

/** Writes a manifest list with one manifest. */
export async function manifestList(entry: {
  readonly path: string;
  readonly lower?: Uint8Array;
  readonly upper?: Uint8Array;
}): Promise<Buffer> {
  const summary = {
    type: 'record',
    name: 'r508',
    fields: [
      field('contains_null', 'boolean', 509),
      field('lower_bound', optional('bytes'), 510),
      field('upper_bound', optional('bytes'), 511),
    ],
  };
  const bytes = (value: Uint8Array | undefined): object | null =>
    value === undefined ? null : Buffer.from(value);
  return container(
    {
      type: 'record',
      name: 'manifest_file',
      fields: [
        field('manifest_path', 'string', 500),
        field('manifest_length', 'long', 501),
        field('partition_spec_id', 'int', 502),
        field('partitions', optional({ type: 'array', items: summary, 'element-id': 508 }), 507),
      ],
    },
    { 'format-version': '2' },
    [
      {
        manifest_path: entry.path,
        manifest_length: 1,
        partition_spec_id: 0,
        partitions: [
          { contains_null: false, lower_bound: bytes(entry.lower), upper_bound: bytes(entry.upper) },
        ],
      },
    ],
  );
}

/** Writes any records. */
export function container(
  schema: object,
  metadata: Readonly<Record<string, string>>,
  records: readonly object[],
): Promise<Buffer> {
  const encoder = new avsc.streams.BlockEncoder(
    schema as avsc.Schema,
    {
      codec: 'deflate',
      metadata: Object.fromEntries(Object.entries(metadata).map(([key, value]) => [key, Buffer.from(value)])),
    } as object,
  );
  const chunks: Buffer[] = [];
  return new Promise((resolve, reject) => {
    encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
    encoder.on('end', () => resolve(Buffer.concat(chunks)));
    encoder.on('error', reject);
    for (const record of records) encoder.write(record);
    encoder.end();
  });
}

/** Single-value forms of the specification's Appendix D. */
export const single = {
  long: (value: bigint): Uint8Array => {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64LE(value);
    return bytes;
  },
  int: (value: number): Uint8Array => {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32LE(value);
    return bytes;
  },
  text: (value: string): Uint8Array => Buffer.from(value),
};
