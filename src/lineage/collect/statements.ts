import { type Statement, sqlOf, statementOf } from '../producers.ts';
import type { LineageEvent } from '../read/event.ts';
import { TextTable } from './text-table.ts';

/** A statement, the same object for the same one: runs repeat theirs day after day. */
export class Statements {
  /** By the job's name, what the output's facets say, and the number of the text. */
  readonly #known = new Map<string, Statement>();
  readonly #shared = new Map<string, Statement>();
  readonly #texts = new TextTable();

  /** What an event's statement did to an output. */
  of(event: LineageEvent, lifecycle: string | null, dbt: string | null): Statement {
    const sql = sqlOf(event);
    const text = sql === null ? -1 : this.#texts.number(sql);
    const key = `${text} ${lifecycle} ${dbt} ${event.job?.name}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const made = this.#share(statementOf(event, lifecycle, dbt));
    this.#known.set(key, made);
    return made;
  }

  /** Of two events of a run on one output: what either of them knows. */
  strongest(a: Statement, b: Statement): Statement {
    if (a === b) return a;
    return this.#share({
      rowLevel: a.rowLevel || b.rowLevel,
      onlyDeletes: a.onlyDeletes || b.onlyDeletes,
      wrapper: a.wrapper || b.wrapper,
      replaces: a.replaces === 'unknown' ? b.replaces : b.replaces === 'part' ? 'part' : a.replaces,
      hasStatistics: a.hasStatistics || b.hasStatistics,
    });
  }

  /** One string for equal texts. */
  text(text: string | null): string | null {
    return text === null ? null : this.#texts.texts[this.#texts.number(text)]!;
  }

  #share(statement: Statement): Statement {
    const key = Object.values(statement).join();
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    this.#shared.set(key, statement);
    return statement;
  }
}
