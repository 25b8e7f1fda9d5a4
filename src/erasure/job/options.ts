import type { Governance } from '../../governance/governance.ts';
import type { Lineage } from '../../lineage/lineage.ts';
import type { Register } from '../../register/register.ts';
import type { Clock, Day } from '../../values/time.ts';
import type { Warehouse } from '../../warehouse/warehouse.ts';
import type { GivenId } from '../bind-ids.ts';
import type { Plan } from '../plan/plan.ts';
import type { OnProgress } from './progress.ts';

/** Builds one table again from its sources, and replaces all of it. */
export type RebuildTable = (given: {
  readonly warehouse: Warehouse;
  readonly signal: AbortSignal;
}) => Promise<void>;

/** What an erasure takes. */
export type EraseOptions = {
  readonly warehouse: Warehouse;
  readonly governance: Governance;
  /** The kind of subject, `learner`. */
  readonly subject: string;
  /** The people of this request: one or thousands; a composite id is an array of its parts. */
  readonly ids: readonly GivenId[];
  /** The id under which commits, register and evidence know the request; it must not name the person. */
  readonly request: string;
  readonly day: Day;
  /** Files that no metadata names are removed from this age on, in milliseconds; `[files]` of the governance if left out. */
  readonly minAgeMs?: number;
  readonly register: Register;
  /**
   * A folder on this machine, made with mode 0700 where it is not there, for the journal and, until the scan ends, the traces; neither
   * it nor `evidence` nor the register's file may lie among the tables.
   */
  readonly state: string;
  /** The folder of the evidence. */
  readonly evidence: string;
  /** Table to the job that rebuilds it. */
  readonly jobs?: Readonly<Record<string, RebuildTable>>;
  readonly progress?: OnProgress;
  /** Refuse as the job would, and tell what it would do; nothing is changed or written. */
  readonly dryRun?: boolean;
  /** Only to say in the evidence when the job ended. */
  readonly clock?: Clock;
  /** Stops the job between two steps; starting the same request again goes on from there. */
  readonly signal?: AbortSignal;
} & ({ readonly plan: Plan } | { readonly lineage: Lineage });
