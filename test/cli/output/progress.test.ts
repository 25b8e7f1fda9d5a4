import { describe, expect, test } from 'vitest';
import { Progress } from '../../../src/cli/output/progress.ts';
import { world } from '../world.ts';

describe('Progress', () => {
  test('E9: draws one line again and again on a terminal, and takes it away at the end', () => {
    const { io, out, err } = world({ terminal: true });
    const progress = new Progress(io);
    progress.show({ stage: 'scan', item: 'crm.learners', done: 3, total: 12 });
    progress.show({ stage: 'scan', item: 'a\u001b[2Jb', done: 12, total: 12 });
    progress.end();
    const lines = err().split('\r\u001b[2K').slice(1);
    expect(lines).toEqual([
      `scan       ${'█'.repeat(6)}${'░'.repeat(18)} 3/12  crm.learners`,
      `scan       ${'█'.repeat(24)} 12/12  a\\u{1b}[2Jb`,
      '',
    ]);
    expect(out()).toBe('');
  });

  test('E9: says each stage once where nobody watches, without moving a cursor', () => {
    const { io, err } = world();
    const progress = new Progress(io);
    for (const [stage, item] of [
      ['bind', 'a'],
      ['delete', 'a'],
      ['delete', 'b'],
      ['scan', 'c'],
    ] as const) {
      progress.show({ stage, item, done: 0, total: null });
    }
    progress.end();
    expect(err()).toBe('bind …\ndelete …\nscan …\n');
  });
});
