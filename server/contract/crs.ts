import { z } from 'zod';

/** A coordinate system by its code. */
export const crsCode = z
  .string()
  .max(20, { abort: true })
  .regex(/^EPSG:\d{4,6}$/, 'must be EPSG: with a number')
  .meta({ examples: ['EPSG:5186'] });
