import { z } from 'zod';

/** A UUID of any version, in either case: what compares or stores it lower-cases it first. */
export const uuid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/, 'must be a UUID')
  .describe('UUID, compared without regard to case');
