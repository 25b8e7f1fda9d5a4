// Checks the package as a user gets it: packs it, lets publint and attw read the tarball, unpacks it beside nothing but
// its declared dependencies, imports every entry, type-checks a consumer and runs the command.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const windows = process.platform === 'win32';
const bin = (name) => join(root, 'node_modules', '.bin', windows ? `${name}.cmd` : name);
const run = (command, args, options = {}) =>
  execFileSync(command, args, { cwd: root, encoding: 'utf8', shell: windows, ...options });

let failures = 0;
let passes = 0;
function step(what, check) {
  try {
    check();
    passes += 1;
    process.stdout.write(`ok    ${what}\n`);
  } catch (error) {
    failures += 1;
    process.stdout.write(`FAIL  ${what}\n${error.stdout ?? ''}${error.stderr ?? ''}${error.message}\n`);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'lethe-package-'));
try {
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  run(process.execPath, [join(root, 'scripts', 'build.mjs')], { stdio: 'inherit' });
  const [packed] = JSON.parse(
    run(windows ? 'npm.cmd' : 'npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]),
  );
  const tarball = join(folder, packed.filename);

  step('the tarball holds dist and the documents, nothing else', () => {
    const documents = new Set(['package.json', 'README.md', 'CHANGELOG.md', 'LICENSE']);
    const strays = packed.files
      .map((file) => file.path)
      .filter((path) => !path.startsWith('dist/') && !documents.has(path));
    if (strays.length > 0) throw new Error(`unexpected: ${strays.join(', ')}`);
  });
  step('publint finds nothing', () => run(bin('publint'), ['run', tarball, '--strict']));
  step('attw finds no entry whose types are wrong', () =>
    run(bin('attw'), [tarball, '--profile', 'esm-only']),
  );

  const modules = join(folder, 'consumer', 'node_modules');
  mkdirSync(modules, { recursive: true });
  run('tar', ['-xzf', tarball, '-C', folder]);
  run('mv', [join(folder, 'package'), join(modules, 'lethe')]);
  for (const name of [...Object.keys(manifest.dependencies), '@types/node']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  const entries = Object.keys(manifest.exports)
    .filter((key) => key !== './package.json')
    .map((key) => `lethe${key.slice(1)}`);
  const consumer = join(folder, 'consumer');

  for (const entry of entries) {
    step(`${entry} is imported with its declared dependencies only`, () =>
      run(
        process.execPath,
        [
          '--input-type=module',
          '--eval',
          `if (Object.keys(await import('${entry}')).length === 0) throw new Error('empty')`,
        ],
        { cwd: consumer },
      ),
    );
  }
  step('a consumer type-checks, with nodenext and with a bundler', () => {
    writeFileSync(join(consumer, 'package.json'), '{ "type": "module" }');
    const imports = entries.map((entry, index) => `import * as e${index} from '${entry}';`);
    const uses = `export const all = [${entries.map((_, index) => `e${index}`).join(', ')}];`;
    writeFileSync(join(consumer, 'consumer.ts'), [...imports, uses, ''].join('\n'));
    for (const [module, resolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
    ]) {
      run(
        bin('tsc'),
        ['--noEmit', '--strict', '--target', 'es2022', '--skipLibCheck', '--types', 'node'].concat([
          '--module',
          module,
          '--moduleResolution',
          resolution,
          'consumer.ts',
        ]),
        { cwd: consumer },
      );
    }
  });
  const lake = join(folder, 'lake');
  mkdirSync(lake);
  writeFileSync(join(lake, 'note.txt'), 'a word of mouth');
  const scanning = `
    import { makeTraces, scan } from 'lethe/scan';
    import { system } from 'lethe/system';
    import { openIceberg } from 'lethe/warehouse';
    let threads = 0;
    process.on('worker', () => { threads += 1; });
    const warehouse = await openIceberg({ catalog: { kind: 'directory', path: process.argv.at(-1) }, ...system });
    const traces = makeTraces({ subject: 'nobody', texts: [{ text: 'of mouth', wholeCell: false, shared: false }], ids: [] });
    const { totals } = await scan({ warehouse, traces, workers: 2 });
    console.log(threads, totals.files, totals.holding);`;
  const scans = (args, threads) => {
    const said = run(process.execPath, [...args, lake], { cwd: consumer });
    if (said !== `${threads} 1 1\n`) throw new Error(said);
  };
  step('a scan starts its threads, from a file and from the command line', () => {
    writeFileSync(join(consumer, 'scanning.js'), scanning);
    scans(['scanning.js'], 2);
    scans(['--input-type=module', '--eval', scanning], 2);
  });
  step('a program that was bundled scans without threads', () => {
    const bundle = ['--bundle', '--platform=node', '--format=esm', '--external:@duckdb/node-api'];
    run(bin('esbuild'), ['scanning.js', ...bundle, '--outfile=bundled.js', '--log-level=error'], {
      cwd: consumer,
    });
    scans(['bundled.js'], 0);
  });
  step('the command starts', () => {
    const version = run(process.execPath, [join(modules, 'lethe', manifest.bin.lethe), '--version'], {
      cwd: consumer,
    });
    if (version.trim() !== manifest.version) throw new Error(`it says ${version}`);
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`package: ${passes} passed, ${failures} failed\n`);
process.exit(failures === 0 ? 0 : 1);
