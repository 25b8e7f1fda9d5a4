import { InputError, RefusedError } from '../../errors.ts';

/** A bucket and a key in it; an empty key is the whole bucket. */
export interface S3Place {
  readonly bucket: string;
  readonly key: string;
}

const LOCATION = /^(s3[an]?):\/\/([^/]+)(?:\/(.*))?$/is;

/**
 * The bucket and key of a location: `s3a:` and `s3n:` are `s3:`, and slashes at the end are left out. Everything else is the key as
 * it is: to S3 a `%20`, `..` or `//` is part of a name, and so it is to Iceberg's own S3 reader and to PyIceberg's.
 *
 * @throws RefusedError `storage/scheme` for a location in another kind of storage
 */
export function s3Place(location: string): S3Place {
  const [, , bucket, key = ''] = LOCATION.exec(location) ?? [];
  if (bucket === undefined) {
    throw new RefusedError('storage/scheme', `${location} is not in S3`, {
      remedy: 'Open the warehouse with the storage that holds it, or mount a copy of that prefix',
      data: { location },
    });
  }
  return { bucket, key: key.replace(/\/+$/, '') };
}

/** The place of one file. Throws `storage/no-key` for a bucket. */
export function s3File(location: string): S3Place {
  const place = s3Place(location);
  if (place.key !== '') return place;
  throw new InputError('storage/no-key', `${location} names a bucket, and no file in it`, {
    remedy: 'Name files as s3://bucket/key',
    data: { location },
  });
}

/** The one form of a location. */
export function s3Location({ bucket, key }: S3Place): string {
  return key === '' ? `s3://${bucket}` : `s3://${bucket}/${key}`;
}

/** What every key under a place as a folder begins with. */
export function s3Prefix({ key }: S3Place): string {
  return key === '' ? '' : `${key}/`;
}
