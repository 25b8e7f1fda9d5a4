export { type LocalStorageOptions, localStorage } from './local.ts';
export { mountedStorage } from './mounts.ts';
export type { ByteRange, FileStat, NameOnly, Storage, StorageCapabilities } from './storage.ts';
