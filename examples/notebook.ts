import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { formatCount } from './platform/format.ts';
import { makePlatform, type Platform, type PlatformOptions } from './platform/index.ts';

/** The day on which the examples happen. Nothing in the library asks a clock which day it is. */
export const TODAY = '2026-10-01';
/** Ninety days later. */
export const LATER = '2026-12-30';

/** Prints one fact: a label and a value, counts as people read them. */
export function say(label: string, value: string | number | bigint | boolean): void {
  const counted = typeof value === 'number' || typeof value === 'bigint';
  console.log(`${label}: ${counted ? formatCount(value) : value}`);
}

/** A platform of its own for one example, in a temporary folder that goes when the example ends. */
export async function examplePlatform(options: Omit<PlatformOptions, 'dir'> = {}): Promise<Platform> {
  const dir = mkdtempSync(join(tmpdir(), 'lethe-example-'));
  process.once('exit', () => rmSync(dir, { recursive: true, force: true }));
  return makePlatform({ dir, ...options });
}
