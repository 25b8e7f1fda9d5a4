import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Storage } from '../../../src/storage/index.ts';
import { newBucket } from './bucket-of.ts';
import { type Fault, type FaultyProxy, type Seen, startFaultyProxy } from './faulty-proxy.ts';
import { type S3Stub, startS3Stub } from './server.ts';

/** A bucket behind a proxy that does to requests what networks do. */
export interface FaultyBucket {
  readonly stub: S3Stub;
  readonly proxy: FaultyProxy;
  readonly storage: Storage;
  readonly root: string;
  /** Where copies go; nothing may be left in it. */
  readonly temporary: string;
  close(): Promise<void>;
}

export async function openFaultyBucket(): Promise<FaultyBucket> {
  const stub = await startS3Stub();
  const proxy = await startFaultyProxy(stub.endpoint);
  const temporary = await mkdtemp(join(tmpdir(), 'lethe-s3-test-'));
  const { storage, root } = await newBucket(proxy.endpoint, { timeoutMs: 300, attempts: 3, temporary });
  proxy.seen.length = 0;
  return {
    stub,
    proxy,
    storage,
    root,
    temporary,
    close: async () => {
      await storage.close!();
      expect(await readdir(temporary)).toEqual([]);
      await rm(temporary, { recursive: true, force: true });
      await proxy.close();
      await stub.close();
    },
  };
}

/** The fault befalls the first `times` requests of a method. */
export function first(times: number, method: string, fault: Fault): (seen: Seen) => Fault | undefined {
  let left = times;
  return (seen) => (seen.method === method && left-- > 0 ? fault : undefined);
}

export const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
export const text = (read: Uint8Array): string => new TextDecoder().decode(read);
