export { type LocalStorageOptions, localStorage } from './local.ts';
export { mountedStorage } from './mounts.ts';
export type { ByteRange, FileStat, Storage, StorageCapabilities } from './storage.ts';
