import type { AppendLog, LogLine } from '../storage/log/append-log.ts';

/**
 * Where a register keeps its lines (rule G4): a file, or later a database with several writers. Lines are opaque to it, and are only
 * ever added.
 */
export type RegisterStore = AppendLog;

export type StoredLine = LogLine;
