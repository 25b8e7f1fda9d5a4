import { describe, expect, test } from 'vitest';
import {
  assertGovernance,
  type CheckedTable,
  checkGovernance,
  parseGovernance,
} from '../../src/governance/index.ts';
import { RULE } from './faults.ts';

/** A table; a column is `name type`, with `!` where it is required. */
function table(name: string, ...columns: readonly string[]): CheckedTable {
  return {
    table: name,
    columns: columns.map((text) => {
      const [column = '', type = ''] = text.replace('!', '').split(':');
      return { name: column, type, required: text.endsWith('!') };
    }),
  };
}

const classified = (name: string, ...columns: readonly string[]) =>
  `[tables.${JSON.stringify(name)}.columns]\n${columns.map((column) => `${JSON.stringify(column)} = "internal"\n`).join('')}`;

/** Findings about these files and tables, without those about unclassified columns. */
function findings(files: Readonly<Record<string, string>>, ...tables: readonly CheckedTable[]) {
  return checkGovernance({ governance: parseGovernance(files), tables }).filter(
    ({ code }) => code !== 'unclassified',
  );
}

const retention = (toml: string) => ({ 'retention.toml': toml });

describe('rules against their tables', () => {
  test('a table and a column that are not there, with the nearest name and the line', () => {
    expect(findings(retention(RULE), table('a.bb', 'd:date!'))).toEqual([
      {
        code: 'no-table',
        level: 'error',
        table: 'a.b',
        column: null,
        file: 'retention.toml',
        line: 1,
        message: 'The retention rule names a table that the warehouse lacks',
        remedy: 'Did you mean a.bb?',
      },
    ]);
    expect(findings(retention(RULE), table('a.b', 'day:date!'))).toMatchObject([
      { code: 'no-column', column: 'd', line: 1 },
    ]);
  });

  test.each([
    ['date!', '', null],
    ['timestamptz!', '', null],
    ['timestamp_ns!', '', null],
    ['date', '', 'nullable-date'],
    ['string!', '', 'format-needed'],
    ['string!', 'format = "dd-MM-yyyy"', null],
    ['date!', 'format = "dd-MM-yyyy"', 'format-without-text'],
    ['long!', '', 'not-a-date'],
    ['long!', 'format = "yyyyMMdd"', 'not-a-date'],
  ])('counted_from is %s %s', (type, line, code) => {
    const found = findings(retention(RULE + line), table('a.b', `d:${type}`));
    expect(found.map((finding) => finding.code)).toEqual(code === null ? [] : [code]);
  });

  test('only_when reads columns that exist and compares like with like', () => {
    const rule = `${RULE}only_when = { all = [{ column = "status", equals = "x" }, { column = "n", equals = 5 }] }`;
    expect(findings(retention(rule), table('a.b', 'd:date!', 'status:string', 'n:int'))).toEqual([]);
    expect(findings(retention(rule), table('a.b', 'd:date!', 'state:string', 'n:int'))).toMatchObject([
      { code: 'no-column', column: 'status' },
    ]);
    expect(findings(retention(rule), table('a.b', 'd:date!', 'status:string', 'n:string'))).toMatchObject([
      { code: 'condition-type' },
    ]);
  });

  test('without types only names are checked', () => {
    const plain = { table: 'a.b', columns: [{ name: 'd' }, { name: 'status' }] };
    expect(findings(retention(`${RULE}only_when = { column = "status", equals = 5 }`), plain)).toEqual([]);
  });
});

describe('erasure against the tables', () => {
  const learner =
    '[erasure.subjects.learner]\nid_type = "long"\nid_columns = ["learner_id"]\nidentifying = ["crm.learners.email"]\n';

  test('identifying columns and id columns', () => {
    expect(findings(retention(learner), table('crm.learners', 'learner_id:long', 'email:string'))).toEqual(
      [],
    );
    expect(
      findings(retention(learner), table('crm.learners', 'id:long', 'e_mail:string')).map(
        ({ code, column }) => [code, column],
      ),
    ).toEqual([
      ['no-id-column', 'learner_id'],
      ['no-column', 'email'],
    ]);
  });

  test.each([
    ['string', true],
    ['int', true],
    ['decimal(18, 0)', true],
    ['date', false],
    ['boolean', false],
    ['uuid', false],
  ])('a long id in a column that is %s', (type, fits) => {
    const found = findings(
      retention(learner),
      table('crm.learners', 'learner_id:long', 'email:string'),
      table('x.y', `learner_id:${type}`),
    );
    expect(found.map(({ code, table: of }) => [code, of])).toEqual(fits ? [] : [['id-type', 'x.y']]);
  });

  test('what an exception and a decision name, and a required column that would be NULL', () => {
    const toml = `${RULE}[erasure.exceptions."a.b"]
reason = "r"
decided_by = "d"
erase_columns = ["card", "lost", { column = "payer", with = "redacted" }, "ref"]
covers = ["a.copy"]
[erasure.decisions."a.x"]
answers = ["cast-key"]
action = "delete"
by = ["nope"]
reason = "r"
decided_by = "d"
`;
    const found = findings(
      retention(toml),
      table('a.b', 'd:date!', 'card:string!', 'payer:string!', 'ref:string'),
      table('a.x', 'id:long'),
    );
    expect(found.map(({ code, table: of, column, line }) => [code, of, column, line])).toEqual([
      ['required-column', 'a.b', 'card', 4],
      ['no-column', 'a.b', 'lost', 4],
      ['no-table', 'a.copy', null, 4],
      ['no-column', 'a.x', 'nope', 9],
    ]);
  });
});

describe('metadata, consent and lineage against the tables', () => {
  test('a classified column and a key that are not there, at their own lines', () => {
    const files = {
      ...retention(''),
      'metadata.toml': `[tables."a.b"]\nkey = ["id"]\n${classified('a.b', 'emial')}`,
    };
    expect(
      findings(files, table('a.b', 'email:string')).map(({ code, column, line, remedy }) => [
        code,
        column,
        line,
        remedy,
      ]),
    ).toEqual([
      ['no-column', 'id', 1, 'Correct the name, or remove the entry'],
      ['no-column', 'emial', 4, 'Did you mean email?'],
    ]);
  });

  test('columns that nobody classified, nested ones by full name and what holds them not', () => {
    const governance = parseGovernance({ ...retention(''), 'metadata.toml': classified('a.b', 'id') });
    const tables = [
      table('a.b', 'id:long', 'address:struct', 'address.street:string'),
      table('x.y', 'z:int'),
    ];
    const found = checkGovernance({ governance, tables });
    expect(found.map(({ code, level, table: of, column }) => [code, level, of, column])).toEqual([
      ['unclassified', 'warning', 'a.b', 'address.street'],
      ['unclassified', 'warning', 'x.y', 'z'],
    ]);
  });

  test('a consent attribute that is no boolean, and records without their columns', () => {
    const files = {
      ...retention('[erasure.subjects.learner]\nid_type = "long"\nid_columns = ["id"]\nidentifying = []'),
      'consent.toml':
        '[purposes.p]\nsubject = "learner"\ntable = "a.b"\nattribute = "agreed"\nalso = { column = "status", equals = true }\nrecords = "a.c"',
    };
    const found = findings(
      files,
      table('a.b', 'id:long', 'agreed:string', 'status:string'),
      table('a.c', 'subject:long', 'purpose:string', 'state:string'),
    );
    expect(found.map(({ code, column }) => [code, column])).toEqual([
      ['attribute-type', 'agreed'],
      ['condition-type', 'status'],
      ['no-column', 'changed_at'],
    ]);
  });

  test('a dataset that becomes a table which is not there, and a source likewise, but no pattern', () => {
    const files = {
      ...retention(''),
      'lineage.toml': '[datasets]\n"x y" = "a.lost"\n[sources]\n"crm.*" = "s"\n"a.gone" = "s"',
    };
    expect(findings(files, table('a.b')).map(({ code, table: of }) => [code, of])).toEqual([
      ['no-table', 'a.lost'],
      ['no-table', 'a.gone'],
    ]);
  });
});

describe('work does not begin on names that are not there', () => {
  test('every error is named at once, with its line', () => {
    const governance = parseGovernance(
      retention(`${RULE}only_when = { column = "stat", equals = "closed" }`),
    );
    const begin = () =>
      assertGovernance({ governance, tables: [table('a.b', 'day:date!', 'status:string')] });
    expect(begin).toThrow(
      expect.objectContaining({
        code: 'governance/tables',
        kind: 'input',
        data: {
          findings: [
            expect.objectContaining({ code: 'no-column', column: 'd', line: 1 }),
            expect.objectContaining({ code: 'no-column', column: 'stat', line: 1 }),
          ],
        },
      }),
    );
  });

  test('warnings stop nothing', () => {
    const governance = parseGovernance(retention(RULE));
    expect(findings(retention(RULE), table('a.b', 'd:date')).map(({ level }) => level)).toEqual(['warning']);
    expect(() => assertGovernance({ governance, tables: [table('a.b', 'd:date')] })).not.toThrow();
  });
});
