export { makeTraces } from './make-traces.ts';
export { type Mention, mentions } from './note/mentions.ts';
export { type NoteOptions, noteTraces } from './note/note-traces.ts';
export { textTraces } from './note/text-traces.ts';
export type { Found, PlaceKind, ScanReport, ScanTotals, TableReport } from './report.ts';
export { type ScanOptions, type ScanProgress, scan } from './scan.ts';
export { openTraces, sealTraces } from './seal.ts';
export type { HashTrace, IdTrace, TextTrace, Traces } from './traces.ts';
