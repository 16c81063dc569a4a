import { z } from 'zod';

/** A UUID of any version. It may be sent in either case, and is lower case from here on: so it compares and is stored. */
export const uuid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/, 'must be a UUID')
  .toLowerCase()
  .describe('UUID, compared without regard to case');

/** Which of the things that one device measures or switches. */
export const channelNumber = z.int().min(0).max(65_535).describe('Channel, counted from 0');

/** How long what was deleted can be brought back, in days. */
export const trashDays = 30;

/** What people call a thing: of a map, a device, a house. */
export const name = z.string().trim().min(1).max(200);
