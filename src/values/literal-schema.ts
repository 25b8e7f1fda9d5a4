import * as z from 'zod';
import { type Literal, SCALAR_TYPES } from './literal.ts';

/** A literal in JSON that Lethe wrote itself. */
export const literalSchema: z.ZodType<Literal> = z.discriminatedUnion('type', [
  z.object({ type: z.literal('boolean'), value: z.boolean() }),
  z.object({ type: z.enum(SCALAR_TYPES), value: z.string() }),
]);
