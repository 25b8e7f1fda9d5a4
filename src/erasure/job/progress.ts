/** The stages of an erasure in their order (rule E1). */
export const STAGES = [
  'bind',
  'trace',
  'check',
  'delete',
  'clear',
  'rebuild',
  'scrub',
  'expire',
  'sweep',
  'purge',
  'scan',
  'evidence',
] as const;

export type Stage = (typeof STAGES)[number];

/** How far a job is (rule E9). It names tables, counts and files, never a value of the person. */
export type ErasureProgress =
  | { readonly kind: 'stage'; readonly stage: Stage }
  /** A table is begun: the `index`-th (from 1) of `of` in this stage. */
  | {
      readonly kind: 'table';
      readonly stage: Stage;
      readonly table: string;
      readonly index: number;
      readonly of: number;
    }
  /** A table is done. `rows` were deleted or cleared, `files` removed. */
  | {
      readonly kind: 'done';
      readonly stage: Stage;
      readonly table: string;
      readonly rows?: number;
      readonly files?: number;
    }
  /** The scan read a file; its location is masked where it holds a trace. */
  | {
      readonly kind: 'file';
      readonly stage: 'scan';
      readonly table: string;
      readonly read: number;
      readonly of: number;
    };

export type OnProgress = (event: ErasureProgress) => void;
