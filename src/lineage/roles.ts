import type { Role } from './lineage.ts';

/** The roles of an edge as bits, so that the union over events is one operation (rule L1a). */
export const ROLE = {
  identity: 1,
  transformation: 2,
  'transformation-masked': 4,
  aggregation: 8,
  'aggregation-masked': 16,
  unknown: 32,
  join: 64,
  'group-by': 128,
  filter: 256,
  sort: 512,
  window: 1024,
  conditional: 2048,
} as const satisfies Record<Role, number>;

/** A union of {@link ROLE} bits. */
export type RoleMask = number;

/** The value of the input is, or may be, in the output. */
export const VALUE: RoleMask =
  ROLE.identity |
  ROLE.transformation |
  ROLE['transformation-masked'] |
  ROLE.aggregation |
  ROLE['aggregation-masked'] |
  ROLE.unknown;

/** The input only decided which rows or values are there. */
export const SHAPE: RoleMask =
  ROLE.join | ROLE['group-by'] | ROLE.filter | ROLE.sort | ROLE.window | ROLE.conditional;

export const AGGREGATION: RoleMask = ROLE.aggregation | ROLE['aggregation-masked'];

const ALL = Object.keys(ROLE) as readonly Role[];

/** The names of the roles in a mask, in the order of {@link Role}. */
export function roleNames(mask: RoleMask): readonly Role[] {
  return ALL.filter((role) => (mask & ROLE[role]) !== 0);
}
