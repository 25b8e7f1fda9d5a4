import { describe, expect, test } from 'vitest';
import { showError } from '../../src/cli/report-error.ts';
import { FailedError, InputError, RefusedError } from '../../src/errors.ts';

describe('showError', () => {
  test.each([
    [new InputError('a/b', 'What was wrong', { remedy: 'Do this' }), 2],
    [new RefusedError('a/b', 'What was wrong', { remedy: 'Do this' }), 3],
    [new FailedError('a/b', 'What was wrong', { remedy: 'Do this' }), 4],
  ])('gives %s its exit code, its code and its remedy', (error, exit) => {
    const shown = showError(error);
    expect(shown.exit).toBe(exit);
    expect(shown.text).toBe('What was wrong. Do this\n(a/b)\n');
    expect(shown.document).toMatchObject({ schemaVersion: 1, error: { code: 'a/b', remedy: 'Do this' } });
  });

  test('E3: shows of an unexpected error its kind and places only, because its message may quote data', () => {
    const error = new TypeError('cannot read somebody@example.org\n    at somebody (else@example.org:1:2)');
    const shown = showError(error);
    expect(shown.exit).toBe(4);
    expect(shown.text).toContain('An unexpected TypeError');
    expect(shown.text).toContain('report-error.test.ts:');
    expect(shown.text + JSON.stringify(shown.document)).not.toMatch(/somebody|else@/);
  });

  test('E3: the same for what is no error at all', () => {
    expect(showError('somebody@example.org').text).not.toContain('somebody');
  });
});
