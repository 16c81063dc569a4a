import { z } from 'zod';

/** A UUID of any version, accepted in either case and lower case from here on, for comparing and storing. */
export const uuid = z
  .string()
  .regex(/^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/, 'must be a UUID')
  .toLowerCase()
  .describe('UUID, compared without regard to case');

/** A channel: one of the things that a device measures or switches. */
export const channelNumber = z.int().min(0).max(65_535).describe('Channel, counted from 0');

/** How long deleted things can be restored, days. */
export const trashDays = 30;

export const longestName = 200;
/** The name that people give a map, a device, a house. */
export const name = z.string().trim().min(1).max(longestName);
