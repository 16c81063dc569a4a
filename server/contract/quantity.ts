import { z } from 'zod';

/** Revisions of a map or a facility, counted by its saves. */
export const revisionNumber = z.int().min(0).max(2_147_483_647);

/** A count that only memory and time limit. */
export const countOf = (what: string) => z.int().min(0).max(1_000_000_000).describe(`${what}, 0 to 1,000,000,000`);

/** Moments as ECMAScript counts them (ECMA-262, 21.4.1.1), from 1970. */
export const epochMs = z.int().min(0).max(8_640_000_000_000_000);

/** What a channel measured: the description states that it has no limits of its own. */
export const measured = (what: string) => z.number().describe(`${what}; any finite number`);

/** Limits, offsets and factors that people set, in a unit that another field names. */
export const settable = z.number().min(-1e15).max(1e15);

/** The smallest step between two values, in a unit that another field names. */
export const resolution = z.number().gt(0).max(1e15);

/** A calculated figure that cannot be negative and has no upper limit of its own. */
export const quantity = (unit: string, what: string) =>
  z
    .number()
    .min(0)
    .meta({ description: `${what}, 0 and more`, unit });

/** The same for a figure that may be negative. */
export const signedQuantity = (unit: string, what: string) =>
  z.number().meta({ description: `${what}; any finite number`, unit });
