export { type AvroFile, readAvro, writeAvro } from './container.ts';
export { recordEntries } from './decoded-record.ts';
export type { AvroField, AvroRecord, AvroSchema, AvroValue } from './schema.ts';
