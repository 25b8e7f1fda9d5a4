export { type LocalStorageOptions, localStorage } from './local.ts';
export type { ByteRange, FileStat, Storage, StorageCapabilities } from './storage.ts';
