import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * The path of a Chromium: `$CHROMIUM`, else one on the PATH, else the package of Debian or Ubuntu, installed now.
 *
 * @throws Error where there is none and none can be installed: a browser test that does not run is no test
 */
export function chromium(): string {
  const { CHROMIUM } = process.env;
  if (CHROMIUM !== undefined) {
    if (existsSync(CHROMIUM)) return CHROMIUM;
    throw new Error(`$CHROMIUM names ${CHROMIUM}, which is not there`);
  }
  return onPath(NAMES) ?? installed();
}

function installed(): string {
  if (onPath(['apt-get']) === undefined)
    throw new Error(
      'No Chromium: install one, or name it in $CHROMIUM. Without apt-get it cannot be done from here.',
    );
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
  ]) {
    const { status, stdout, stderr } = spawnSync('apt-get', args, { encoding: 'utf8', env });
    if (status !== 0)
      throw new Error(
        `No Chromium, and \`apt-get ${args.join(' ')}\` failed: install it as root, or name one in $CHROMIUM.\n${stdout}${stderr}`,
      );
  }
  const path = onPath(NAMES);
  if (path === undefined) throw new Error('apt-get installed chromium, and no such program is on the PATH');
  return path;
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names
    .flatMap((name) => folders.map((folder) => join(folder, name)))
    .find((path) => existsSync(path));
}
