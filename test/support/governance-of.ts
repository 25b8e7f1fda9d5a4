import type { Governance, Subject } from '../../src/governance/governance.ts';

const NOWHERE = { file: 'test', line: 1, column: 1 };

/** A kind of subject with plain ids. */
export function subjectOf(given: Partial<Subject> & Pick<Subject, 'name'>): Subject {
  return { idType: 'long', idColumns: [[`${given.name}_id`]], identifying: [], at: NOWHERE, ...given };
}

/** Governance that declares nothing but what is given. */
export function governanceOf(given: Partial<Governance> = {}): Governance {
  return {
    retention: new Map(),
    snapshots: { maxAgeDays: 5, minToKeep: 1 },
    files: { minAgeHours: 72 },
    statistics: { personal: 'none', sensitive: 'none', unclassified: 'none' },
    subjects: new Map([['learner', subjectOf({ name: 'learner' })]]),
    exceptions: new Map(),
    decisions: new Map(),
    metadata: new Map(),
    purposes: new Map(),
    names: { datasets: [], patterns: [], sources: new Map(), ignored: [], readers: [], gaps: [] },
    ...given,
  };
}

/** An exception that keeps the rows of a table. */
export function exceptionOf(table: string, eraseColumns: readonly string[], given: object = {}) {
  return {
    table,
    reason: 'an obligation',
    decidedBy: 'legal team',
    eraseColumns: eraseColumns.map((column) => ({ column, with: { kind: 'null' } as const })),
    covers: [],
    at: NOWHERE,
    ...given,
  };
}
