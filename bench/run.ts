// npm run bench -- NAME [--json]: runs bench/NAME.bench.ts and prints its figures, each beside its peer.
import { readdirSync } from 'node:fs';
import { type Bench, type Figure, machineName, type Report } from './bench.ts';

const names = readdirSync(new URL('.', import.meta.url))
  .flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? [])
  .sort();
const args = process.argv.slice(2);
const name = args.find((arg) => !arg.startsWith('-'));

if (name === undefined || !names.includes(name)) {
  process.stderr.write(`Name a bench: npm run bench -- NAME [--json], with one of ${names.join(', ')}\n`);
  process.exitCode = 2;
} else {
  const { bench } = (await import(`./${name}.bench.ts`)) as { readonly bench: Bench };
  const report: Report = { name, machine: machineName(), figures: await bench() };
  process.stdout.write(args.includes('--json') ? `${JSON.stringify(report, null, 2)}\n` : textOf(report));
  if (report.figures.some(({ ratio, bound }) => bound !== null && ratio > bound)) process.exitCode = 1;
}

function textOf({ machine, figures }: Report): string {
  return `${machine}\n${figures.map(lineOf).join('')}`;
}

function lineOf({ what, unit, lethe, peer, peerName, ratio, bound }: Figure): string {
  const asked = bound === null ? '' : `, asked for at most ${bound}`;
  return `${what}: ${lethe.toFixed(1)} ${unit}, ${peerName} ${peer.toFixed(1)} ${unit}, ratio ${ratio}${asked}\n`;
}
