import { ROLE, type RoleMask, SHAPE, VALUE } from '../roles.ts';

// Maps, because a producer can call a subtype `constructor`, which every object has.
const DIRECT: ReadonlyMap<string, { plain: RoleMask; masked: RoleMask }> = new Map([
  ['IDENTITY', { plain: ROLE.identity, masked: ROLE['transformation-masked'] }],
  ['TRANSFORMATION', { plain: ROLE.transformation, masked: ROLE['transformation-masked'] }],
  ['AGGREGATION', { plain: ROLE.aggregation, masked: ROLE['aggregation-masked'] }],
]);

const INDIRECT: ReadonlyMap<string, RoleMask> = new Map([
  ['JOIN', ROLE.join],
  ['GROUP_BY', ROLE['group-by']],
  ['FILTER', ROLE.filter],
  ['SORT', ROLE.sort],
  ['WINDOW', ROLE.window],
  ['CONDITIONAL', ROLE.conditional],
]);

/**
 * The roles of one input field (rules L1a and L1b): its own `transformations`, else the older type of the whole output
 * field, else unknown. A role that nobody knows is unknown, never identity.
 */
export function rolesOf(transformations: unknown, legacyType: unknown): RoleMask {
  if (Array.isArray(transformations) && transformations.length > 0)
    return transformations.reduce<RoleMask>((mask, entry) => mask | roleOf(entry), 0);
  if (legacyType === 'IDENTITY') return ROLE.identity;
  if (legacyType === 'MASKED') return ROLE['transformation-masked'];
  return ROLE.unknown;
}

function roleOf(entry: unknown): RoleMask {
  if (typeof entry !== 'object' || entry === null) return ROLE.unknown;
  const { type, subtype, masking } = entry as Record<string, unknown>;
  if (typeof subtype !== 'string') return ROLE.unknown;
  if (type === 'DIRECT') {
    const role = DIRECT.get(subtype);
    return role === undefined ? ROLE.unknown : masking === true ? role.masked : role.plain;
  }
  return (type === 'INDIRECT' ? INDIRECT.get(subtype) : undefined) ?? ROLE.unknown;
}

/** The roles of an entry of a dataset-level list: a direct role there is indirect, and may be more (rule L1e). */
export function wholeTableRoles(mask: RoleMask): RoleMask {
  return (mask & VALUE) === 0 ? mask : (mask & SHAPE) | ROLE.unknown;
}
