import { isDeepStrictEqual } from 'node:util';
import { FailedError } from '../../errors.ts';
import { type S3Place, s3Location } from './place.ts';

/** How a page of a listing ends. */
export interface PageEnd<Mark> {
  readonly truncated: boolean | undefined;
  /** Where this page was asked to begin, and where it says that the next one does. */
  readonly from: Mark | undefined;
  readonly next: Mark | undefined;
}

/**
 * Where the next page begins; undefined after the last one. A page that says that more follows, and not where, would hide the rest from
 * scan and purge; one that names its own beginning would never end.
 *
 * @throws FailedError `storage/list-failed`
 */
export function nextPage<Mark>(place: S3Place, { truncated, from, next }: PageEnd<Mark>): Mark | undefined {
  if (truncated !== true) return undefined;
  if (next !== undefined && !isDeepStrictEqual(next, from)) return next;
  const location = s3Location(place);
  throw new FailedError(
    'storage/list-failed',
    `${location} was listed in part: S3 does not say how to go on`,
    {
      remedy: 'What was not listed was not looked at: run again, and ask whoever runs that server or proxy',
      data: { location, bucket: place.bucket },
    },
  );
}
