export { type SchemeStorages, storageByScheme } from './by-scheme.ts';
export { type LocalStorageOptions, localStorage } from './local.ts';
export { mountedStorage } from './mounts.ts';
export type { S3Access, S3Credentials, S3StorageOptions } from './s3/options.ts';
export { s3Storage } from './s3/s3.ts';
export type {
  ByteRange,
  DeleteMarker,
  FileStat,
  FileVersion,
  FileVersions,
  KeptVersion,
  NameOnly,
  NoncurrentVersion,
  Storage,
  UnfinishedUpload,
  VersionLocks,
} from './storage.ts';
