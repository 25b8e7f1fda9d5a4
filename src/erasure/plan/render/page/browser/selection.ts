import type { ShownPlan } from './plan.ts';

/** What is looked at: nothing, a table, or one column of it. */
export interface Selected {
  readonly table: number;
  readonly column: number | null;
}

type Listener = (selected: Selected | null) => void;

/** The one selection of the page. It stands in the address, so that a reviewer can point others to it. */
export class Selection {
  readonly #plan: ShownPlan;
  readonly #listeners: Listener[] = [];
  #current: Selected | null = null;

  constructor(plan: ShownPlan) {
    this.#plan = plan;
  }

  get current(): Selected | null {
    return this.#current;
  }

  onChange(listener: Listener): void {
    this.#listeners.push(listener);
  }

  table(table: number): void {
    this.#set({ table, column: null });
  }

  column(column: number): void {
    this.#set({ table: this.#plan.column(column).table, column });
  }

  clear(): void {
    this.#set(null);
  }

  /** Takes the selection that the address names, if it is one of this plan. */
  fromAddress(): void {
    const [table, column] = location.hash.slice(1).split('/').map(decoded);
    const at = this.#plan.document.tables.findIndex(({ name, drawn }) => drawn && name === table);
    if (at < 0) return;
    const named = this.#plan.columnsOf(at).find((each) => this.#plan.column(each).name === column);
    if (named === undefined) this.table(at);
    else this.column(named);
  }

  #set(selected: Selected | null): void {
    this.#current = selected;
    history.replaceState(null, '', selected === null ? '#' : this.#address(selected));
    for (const listener of this.#listeners) listener(selected);
  }

  #address({ table, column }: Selected): string {
    const names = [
      this.#plan.table(table).name,
      ...(column === null ? [] : [this.#plan.column(column).name]),
    ];
    return `#${names.map(encodeURIComponent).join('/')}`;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
