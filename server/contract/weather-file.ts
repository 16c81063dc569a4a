import { z } from 'zod';

/** An EPW or CSV file in the folder `weather` of the data directory; a name and never a path. */
export const weatherFileName = z
  .string()
  .max(100, { abort: true })
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]*\.(epw|EPW|csv|CSV)$/, 'must be the name of an .epw or .csv file, without a path');
