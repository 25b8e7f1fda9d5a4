import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/**
 * The home of a Java of this major version: `$JAVA_HOME`, the one on the PATH, or one that a package of Debian, Ubuntu or
 * Temurin put under `/usr/lib/jvm`.
 *
 * @throws Error that says how to get it
 */
export function javaHome(major: 17 | 25): string {
  const home = candidates().find((folder) => versionOf(folder) === major);
  if (home !== undefined) return home;
  throw new Error(
    `No Java ${major} in $JAVA_HOME, on the PATH or under /usr/lib/jvm. Install one as root: ` +
      `\`apt-get install openjdk-${major}-jre-headless\` (or \`temurin-${major}-jdk\`), and run again.`,
  );
}

function candidates(): readonly string[] {
  const onPath = (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'java'))
    .filter((program) => existsSync(program))
    .map((program) => dirname(dirname(realpathSync(program))));
  const jvm = '/usr/lib/jvm';
  const packaged = existsSync(jvm) ? readdirSync(jvm).map((name) => join(jvm, name)) : [];
  return [process.env.JAVA_HOME ?? '', ...onPath, ...packaged];
}

function versionOf(home: string): number | undefined {
  const release = join(home, 'release');
  if (!existsSync(join(home, 'bin', 'java')) || !existsSync(release)) return undefined;
  return Number(/^JAVA_VERSION="(\d+)/m.exec(readFileSync(release, 'utf8'))?.[1]);
}
