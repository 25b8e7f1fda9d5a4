// Removes all versions of a bucket: node --import tsx purge.ts lethe|sdk ENDPOINT BUCKET; prints { seconds, megabytes, requests }.
// `sdk` is the loop that anybody would write with the AWS SDK: a page, a request to delete it, the next page.
import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { system } from '../../src/cli/system.ts';
import { s3Storage } from '../../src/storage/index.ts';
import { purgeVersions } from '../../src/warehouse/purge.ts';

const [who, endpoint, bucket] = process.argv.slice(2);
const access = { region: 'us-east-1', endpoint: endpoint! };
const credentials = { accessKeyId: 'bench', secretAccessKey: 'bench' };
const before = process.memoryUsage.rss();
let most = before;
const watch = setInterval(() => {
  most = Math.max(most, process.memoryUsage.rss());
}, 20);
const begin = performance.now();
const removed = who === 'lethe' ? await byLethe() : await bySdk();
const seconds = (performance.now() - begin) / 1000;
clearInterval(watch);
process.stdout.write(JSON.stringify({ removed, seconds, megabytes: (most - before) / 2 ** 20 }));

async function byLethe(): Promise<number> {
  const root = `s3://${bucket}/wh/crm/learners`;
  const storage = s3Storage({ ...system, ...access, pathStyle: true, credentials, roots: [root] });
  const work = { folders: [root], files: new Set<string>(), nested: [], minAgeMs: 0, now: Date.now() };
  const { noncurrent, deleteMarkers, left } = await purgeVersions({ storage, ...work });
  await storage.close?.();
  if (left > 0) throw new Error(`${left} versions are left`);
  return noncurrent + deleteMarkers;
}

async function bySdk(): Promise<number> {
  const client = new S3Client({ ...access, forcePathStyle: true, credentials });
  let count = 0;
  for (let more = true; more; ) {
    const page = await client.send(
      new ListObjectVersionsCommand({ Bucket: bucket!, Prefix: 'wh/crm/learners/' }),
    );
    const Objects = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])].map(({ Key, VersionId }) => ({
      Key,
      VersionId,
    }));
    if (Objects.length > 0)
      await client.send(new DeleteObjectsCommand({ Bucket: bucket!, Delete: { Objects, Quiet: true } }));
    count += Objects.length;
    more = page.IsTruncated === true;
  }
  client.destroy();
  return count;
}
