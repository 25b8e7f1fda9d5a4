import type { StepAction } from '../../plan.ts';
import type { PassageKind } from '../passages.ts';

/**
 * What the page of a plan is drawn from, embedded in it as JSON: names, actions and places, no value of a person. All text
 * is already shown safely (`visible`); the page's script adds it as text only.
 */
export interface PageDocument {
  readonly subject: string;
  readonly digest: string;
  /** The names of the roles, by bit. */
  readonly roles: readonly string[];
  readonly tables: readonly PageTable[];
  /** Columns, those of one table side by side; edges name them by their place. */
  readonly columns: readonly PageColumn[];
  /** What recorded an edge: the job, its newest run and when that was heard of. */
  readonly writes: readonly PageWrite[];
  /** `[from, to, mask of roles, write]`. */
  readonly edges: readonly (readonly [number, number, number, number])[];
  readonly passages: readonly PagePassage[];
  readonly steps: readonly PageStep[];
  readonly notes: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** Two pictures of the same tables: names only, and with their columns. */
  readonly pictures: { readonly tables: Picture; readonly columns: Picture };
}

export interface PageTable {
  readonly name: string;
  /** The place of its step; -1 where it has none. */
  readonly step: number;
  /** A table that is not drawn only feeds one that is, and holds nothing of the person. */
  readonly drawn: boolean;
  /** Its first column, and the first that is no longer one of its. */
  readonly columns: readonly [number, number];
}

export interface PageColumn {
  /** `*` stands for the whole table. */
  readonly name: string;
  readonly table: number;
  /** `key`: the person's rows are found by it, or it carries such a key. `clear`: it is emptied. */
  readonly part: 'key' | 'clear' | '';
}

export interface PageWrite {
  readonly job: string;
  readonly run: string | null;
  readonly at: string | null;
}

export interface PagePassage {
  readonly from: number;
  readonly to: number;
  readonly kind: PassageKind;
  readonly label: string;
}

export interface PageStep {
  readonly table: number;
  readonly action: StepAction;
  /** What is done, in a few words. */
  readonly does: string;
  readonly why: string;
  readonly reason: string | null;
  readonly decidedBy: string | null;
  readonly causes: readonly { readonly code: string; readonly what: string }[];
  readonly probes: readonly { readonly asks: string; readonly sql: string }[];
}

/** Whole pixels, so that the same plan gives the same bytes. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** `[x, y, width, height]` of each drawn table, by its place. */
  readonly boxes: readonly (readonly [number, number, number, number])[];
  /** The points between the ends of each passage: x and y by turns. */
  readonly lines: readonly (readonly number[])[];
  /** The middle of each passage's label; empty for one that has none, and where the picture shows none. */
  readonly labels: readonly (readonly [number, number] | readonly [])[];
}
