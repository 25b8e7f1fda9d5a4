import { InputError, type Place } from '../errors.ts';

/** One thing that is wrong in a governance file. */
export interface Fault extends Place {
  /** `governance/unknown-key`, `governance/missing-key`, … */
  readonly code: string;
  /** The key path as TOML writes it: `tables."support.tickets".keep_days`. */
  readonly path: string;
  /** What is wrong, in words. */
  readonly message: string;
  /** What stands there, shortened; null where something is missing. */
  readonly found: string | null;
  /** What may stand there, in words or as names. */
  readonly allowed: readonly string[];
  /** The name that was probably meant. */
  readonly nearest: string | null;
  /** The source line with a caret under the place. */
  readonly excerpt: string;
}

/** Everything that is wrong in the governance files, in one error (design section 2). */
export class GovernanceError extends InputError {
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    const count = faults.length === 1 ? '1 fault' : `${faults.length} faults`;
    super(
      'governance/faults',
      `${faults.map(formatFault).join('\n\n')}\n\n${count} in the governance files`,
      {
        remedy: 'Correct the lines shown; nothing was started',
        data: { faults },
      },
    );
    this.faults = faults;
  }
}

/** One fault as text: place, path, what is wrong, what is allowed, the line. */
export function formatFault(fault: Fault): string {
  const found = fault.found === null ? '' : `, found ${fault.found}`;
  const allowed = fault.allowed.length === 0 ? '' : `; allowed: ${fault.allowed.join(', ')}`;
  const meant = fault.nearest === null ? '' : `; did you mean ${fault.nearest}?`;
  const where = `${fault.file}:${fault.line}:${fault.column}`;
  const subject = fault.path === '' ? '' : ` ${fault.path}:`;
  return `${where}${subject} ${fault.message}${found}${allowed}${meant}\n${fault.excerpt}`;
}

/** Faults in the order of reading: by file, line and column. */
export function sortFaults(faults: readonly Fault[]): Fault[] {
  return [...faults].sort(
    (a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)) || a.line - b.line || a.column - b.column,
  );
}
