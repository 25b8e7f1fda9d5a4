/** What a file is, by its first bytes; its name is not asked. */
export type Format = 'parquet' | 'avro' | 'puffin' | 'gzip' | 'zstd' | 'lz4' | 'sealed' | 'bytes' | 'empty';

/** Formats whose content is packed or coded so that searching its bytes would prove nothing. */
const SEALED: readonly { readonly magic: readonly number[]; readonly at?: number; readonly name: string }[] =
  [
    { magic: [0x4f, 0x52, 0x43], name: 'ORC' },
    { magic: [0x50, 0x41, 0x52, 0x45], name: 'an encrypted Parquet file' },
    { magic: [0x41, 0x47, 0x53, 0x31], name: 'an encrypted file of Iceberg' },
    { magic: [0x50, 0x4b, 0x03, 0x04], name: 'a zip archive' },
    { magic: [0x42, 0x5a, 0x68], name: 'a bzip2 file' },
    { magic: [0xfd, 0x37, 0x7a, 0x58, 0x5a], name: 'an xz file' },
    { magic: [0x37, 0x7a, 0xbc, 0xaf], name: 'a 7z archive' },
    { magic: [0xff, 0x06, 0x00, 0x00, 0x73, 0x4e, 0x61, 0x50], name: 'a snappy file' },
    { magic: [0x41, 0x52, 0x52, 0x4f, 0x57, 0x31], name: 'an Arrow file' },
    { magic: [0x44, 0x55, 0x43, 0x4b], at: 8, name: 'a DuckDB database' },
  ];

/** Names by which people tell formats; a file of another content is not what it should be. */
const NAMED: readonly { readonly ending: RegExp; readonly format: Format }[] = [
  { ending: /\.(parquet|parq)$/i, format: 'parquet' },
  { ending: /\.avro$/i, format: 'avro' },
  { ending: /\.(puffin|stats)$/i, format: 'puffin' },
  { ending: /\.gz(\.metadata\.json)?$/i, format: 'gzip' },
  { ending: /\.zstd?$/i, format: 'zstd' },
  { ending: /\.lz4$/i, format: 'lz4' },
  { ending: /\.(orc|zip|bz2|xz|arrow|feather)$/i, format: 'sealed' },
];

/** The format that a file's name promises, if it promises one. */
export function promisedFormat(name: string): Format | undefined {
  return NAMED.find(({ ending }) => ending.test(name))?.format;
}

/** Bytes of the beginning that {@link sniff} needs. */
export const SNIFFED = 16;

/** Recognises a format; `sealed` with its name where its content cannot be read. */
export function sniff(head: Uint8Array): { readonly format: Format; readonly name?: string } {
  if (head.length === 0) return { format: 'empty' };
  const starts = (magic: readonly number[], at = 0): boolean =>
    magic.every((byte, k) => head[at + k] === byte);
  if (starts([0x50, 0x41, 0x52, 0x31])) return { format: 'parquet' };
  if (starts([0x4f, 0x62, 0x6a, 0x01])) return { format: 'avro' };
  if (starts([0x50, 0x46, 0x41, 0x31])) return { format: 'puffin' };
  if (starts([0x1f, 0x8b])) return { format: 'gzip' };
  if (starts([0x28, 0xb5, 0x2f, 0xfd])) return { format: 'zstd' };
  if (starts([0x04, 0x22, 0x4d, 0x18])) return { format: 'lz4' };
  const sealed = SEALED.find(({ magic, at }) => starts(magic, at));
  return sealed === undefined ? { format: 'bytes' } : { format: 'sealed', name: sealed.name };
}
