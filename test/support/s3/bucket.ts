import { createHash } from 'node:crypto';

/** One version of an object, or a delete marker. */
export interface StoredVersion {
  readonly id: string;
  readonly marker: boolean;
  readonly bytes: Buffer;
  readonly etag: string;
  readonly modified: Date;
  /** `x-amz-meta-` headers, and those of locks. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface StoredUpload {
  readonly key: string;
  readonly begun: Date;
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: Map<number, Buffer>;
}

/** What S3 keeps of one bucket, in memory, by the rules of its documentation on versioning. */
export class StoredBucket {
  versioning: 'Enabled' | 'Suspended' | undefined;
  secondFactor = false;
  locks = false;
  /** Newest first. */
  readonly objects = new Map<string, StoredVersion[]>();
  readonly uploads = new Map<string, StoredUpload>();
  #ids = 0;

  keys(prefix: string): readonly string[] {
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix));
    return keys.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  }

  current(key: string): StoredVersion | undefined {
    const newest = this.objects.get(key)?.[0];
    return newest?.marker === true ? undefined : newest;
  }

  version(key: string, id: string): StoredVersion | undefined {
    return this.objects.get(key)?.find((version) => version.id === id);
  }

  put(key: string, bytes: Buffer, headers: Readonly<Record<string, string>>): StoredVersion {
    return this.#add(key, { marker: false, bytes, headers });
  }

  /** Without versions the object is gone; with them a marker hides it. */
  remove(key: string): void {
    if (this.versioning === undefined) this.objects.delete(key);
    else this.#add(key, { marker: true, bytes: Buffer.alloc(0), headers: {} });
  }

  /** Removes one version for good. */
  purge(key: string, id: string): void {
    const left = (this.objects.get(key) ?? []).filter((version) => version.id !== id);
    if (left.length === 0) this.objects.delete(key);
    else this.objects.set(key, left);
  }

  upload(key: string, headers: Readonly<Record<string, string>>): string {
    const id = `upload-${++this.#ids}`;
    this.uploads.set(id, { key, begun: new Date(), headers, parts: new Map() });
    return id;
  }

  /** While versioning is off or suspended the version is `null`, and takes the place of the one before of that name. */
  #add(key: string, given: Pick<StoredVersion, 'marker' | 'bytes' | 'headers'>): StoredVersion {
    this.#ids += 1;
    const id = this.versioning === 'Enabled' ? `v${String(this.#ids).padStart(8, '0')}` : 'null';
    const etag = `"${createHash('md5').update(given.bytes).digest('hex')}"`;
    const version = { ...given, id, etag, modified: new Date(1_700_000_000_000 + this.#ids * 1000) };
    const before = (this.objects.get(key) ?? []).filter((each) => each.id !== id);
    this.objects.set(key, [version, ...before]);
    return version;
  }
}

/** Whether a lock or a legal hold keeps a version. */
export function isLocked({ headers }: StoredVersion): boolean {
  const until = headers['x-amz-object-lock-retain-until-date'];
  return (
    headers['x-amz-object-lock-legal-hold'] === 'ON' || (until !== undefined && new Date(until) > new Date())
  );
}
