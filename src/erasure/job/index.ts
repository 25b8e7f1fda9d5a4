export { checkEvidence, type EvidenceCheck, type EvidenceProblem } from './check-evidence.ts';
export { erase } from './erase.ts';
export {
  type Evidence,
  type EvidenceTable,
  type EvidenceTotals,
  isClean,
  type ReadFiles,
  type TimeTravel,
  type VersionCounts,
  type YoungFile,
} from './evidence.ts';
export { type Footprint, type FootprintOptions, footprint, type TableFootprint } from './footprint.ts';
export type { EraseOptions, RebuildTable } from './options.ts';
export { type ErasureProgress, type OnProgress, STAGES, type Stage } from './progress.ts';
export { ErasureRefused } from './refused.ts';
export { storedTraces } from './stored-traces.ts';
