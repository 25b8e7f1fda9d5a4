import type { AvroFile } from '../../warehouse/iceberg/avro/index.ts';
import { decodeBound } from '../../warehouse/iceberg/manifest/single-value.ts';
import type { FileScan } from '../file-scan.ts';
import { lookUp } from '../ids/iceberg-value.ts';
import { searchPathIds } from '../ids/path-ids.ts';
import { AvroWalk } from './avro-values.ts';

/** Names of bounds in the partition summaries of a manifest list; they are never cut short (field ids 510 and 511). */
const BOUND = /(^|\.)(lower_bound|upper_bound)$/;

/**
 * Scans a manifest list: the paths of manifests, and the bounds of partition values, which are kept whole (rule S4). A list
 * does not say which column a bound is of, so each is tested as any column in which ids are sought and by which the table
 * is or was partitioned.
 */
export function scanManifestList(file: AvroFile, scan: FileScan): void {
  const walk = new AvroWalk(file.schema);
  const partitioned = scan.table.partitionColumns.flatMap((name) => {
    const lookups = scan.ids.lookups(scan.table, { name }, { kind: 'integer' });
    return lookups === null ? [] : [lookups];
  });
  for (const record of file.records) {
    for (const { name, value } of walk.scalars(record)) {
      if (typeof value === 'string') {
        const kind = name === 'manifest_path' ? 'path' : 'metadata';
        scan.place(kind, name, (verdict) => {
          scan.text.text(value, verdict);
          searchPathIds(value, { ids: scan.ids, table: scan.table, verdict });
        });
        if (name === 'manifest_path') scan.refer(value, 'metadata');
      } else if (value instanceof Uint8Array) {
        const isBound = BOUND.test(name);
        scan.place(isBound ? 'partition' : 'metadata', name, (verdict) => {
          scan.text.raw(value, verdict);
          if (!isBound) return;
          const integer = decodeBound('long', value);
          for (const lookups of partitioned) {
            const found =
              (integer === undefined ? undefined : lookUp(integer, lookups)) ?? lookUp(value, lookups);
            if (found !== undefined) verdict.add(found);
          }
        });
      }
    }
  }
}
