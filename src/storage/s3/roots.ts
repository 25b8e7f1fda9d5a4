import { RefusedError } from '../../errors.ts';
import { type S3Place, s3Location, s3Place, s3Prefix } from './place.ts';

/** Lets places under one of the roots pass; every place where there are none. The rest is refused as `storage/outside`. */
export function s3Roots(roots: readonly string[]): (place: S3Place) => S3Place {
  const places = roots.map(s3Place);
  return (place) => {
    const inside = ({ bucket, key }: S3Place): boolean =>
      bucket === place.bucket && (key === place.key || place.key.startsWith(s3Prefix({ bucket, key })));
    if (places.length === 0 || places.some(inside)) return place;
    const location = s3Location(place);
    throw new RefusedError('storage/outside', `${location} is outside the warehouse`, {
      remedy: `Move the file under ${roots.join(' or ')}, or open a warehouse that includes it`,
      data: { location, roots },
    });
  };
}
