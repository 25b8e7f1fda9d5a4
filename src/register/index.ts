export type { Entry, EntryState, PersonHash } from './entry.ts';
export type { ErasedAnswer, ErasedPeople } from './erased-people.ts';
export { type ErasedRows, erasedRows, type RegisterCheck } from './erased-rows.ts';
export { type FilterErasedOptions, type Filtered, filterErased } from './filter-erased.ts';
export type { LookIn } from './find-erased.ts';
export type { KeySecret } from './keys.ts';
export { type Reapplied, type ReapplyOptions, reapply } from './reapply.ts';
export { type NewEntry, type OpenRegisterOptions, openRegister, type Register } from './register.ts';
export type { RegisterStore, StoredLine } from './store.ts';
