// An S3 in a process of its own, with versions in it: node --import tsx server.ts VERSIONS BUCKET…
// Each bucket gets as many: for every file one version and the marker that hides it. Prints its address, and ends with its parent.
import { startS3Stub } from '../../test/support/s3/server.ts';

const [versions, ...buckets] = process.argv.slice(2);
const stub = await startS3Stub();
for (const name of buckets) {
  await fetch(`${stub.endpoint}/${name}`, { method: 'PUT' });
  const bucket = stub.buckets.get(name)!;
  bucket.versioning = 'Enabled';
  for (let file = 0; file < Number(versions) / 2; file += 1) {
    const key = `wh/crm/learners/data/${String(file).padStart(8, '0')}.parquet`;
    bucket.put(key, Buffer.from('x'), {});
    bucket.remove(key);
  }
}
process.stdout.write(`${stub.endpoint}\n`);
process.stdin.on('end', () => process.exit()).resume();
