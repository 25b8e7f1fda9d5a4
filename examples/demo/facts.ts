import type { PlaceKind, StepAction } from 'lethe';

/** Everything that the demo shows, as one document: what `npm run demo -- --json` prints. */
export interface DemoFacts {
  readonly schemaVersion: 1;
  readonly platform: PlatformFacts;
  readonly where: WhereFacts;
  readonly plan: readonly PlanFacts[];
  readonly stages: readonly StageFacts[];
  readonly manifests: ManifestFacts;
  readonly job: JobFacts;
  readonly reload: ReloadFacts;
  readonly took: { readonly seconds: number; readonly megabytes: number };
}

export interface PlatformFacts {
  readonly tables: number;
  readonly rows: number;
  readonly pipelines: number;
  readonly learner: number;
}

/** The files that hold the learner before anything is done. */
export interface WhereFacts {
  readonly files: number;
  readonly tables: number;
  /** A file is counted under each kind of place in it. */
  readonly kinds: readonly {
    readonly kind: PlaceKind;
    readonly files: number;
    readonly tables: readonly string[];
  }[];
}

export interface PlanFacts {
  readonly table: string;
  readonly action: StepAction;
  readonly column: string | null;
  readonly copyOf: string | null;
  readonly cleared: readonly string[];
  readonly decidedBy: string | null;
}

/** What is left of the learner after a stage, in the tables whose rows the plan deletes; files in all tables. */
export interface StageFacts {
  readonly stage: 'before' | 'delete' | 'expire' | 'sweep';
  readonly rowsNow: number;
  readonly rowsByTimeTravel: number;
  readonly filesHolding: number;
}

/** What the generated properties take out of the manifests. */
export interface ManifestFacts {
  readonly columns: number;
  readonly boundsBefore: number;
  readonly boundsAfter: number;
  readonly dataFilesWritten: number;
}

/** The whole job in one call, as its evidence says. */
export interface JobFacts {
  readonly request: string;
  readonly tables: number;
  readonly rowsDeleted: number;
  readonly rowsKept: number;
  readonly filesRead: number;
  readonly filesHolding: number;
  readonly notProven: number;
  readonly digest: string;
  readonly evidenceHolds: boolean;
}

/** The nightly reload after the erasure. */
export interface ReloadFacts {
  readonly back: readonly { readonly table: string; readonly rows: number }[];
  readonly keptOutOfNextLoad: number;
}
