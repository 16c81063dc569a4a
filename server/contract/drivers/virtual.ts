import { z } from 'zod';
import { uuid } from '../identifier.ts';
import type { Driver } from './driver.ts';

const lcdLine = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string().max(80) }),
  z.strictObject({ kind: z.literal('time') }),
  z.strictObject({ kind: z.literal('measurement'), device_id: uuid, measurement_id: uuid, label: z.string().max(40) }),
]);

export type LcdLine = z.infer<typeof lcdLine>;

/** A display on the screen; its line sets alternate. */
export const displayOptions = z.strictObject({
  columns: z.int().min(8).max(80).optional().meta({ description: 'Characters of a line', default: 20 }),
  rows: z.int().min(1).max(20).optional().meta({ description: 'Lines of the display', default: 4 }),
  line_set_s: z
    .number()
    .min(1)
    .max(3_600)
    .optional()
    .meta({ description: 'How long each line set is shown', unit: 's', default: 10 }),
  max_age_s: z
    .number()
    .min(1)
    .max(604_800)
    .optional()
    .meta({ description: 'A value older than this is shown as --', unit: 's', default: 600 }),
  line_sets: z
    .array(z.array(lcdLine).min(1).max(20))
    .max(20)
    .optional()
    .describe('What is shown, one set after the other'),
});
/** The same for any display, whatever other options its driver has. */
export const shownOptions = displayOptions.strip();
export type DisplayOptions = z.infer<typeof displayOptions>;

export const virtual = {
  title: 'On-screen display',
  summary: 'A display that exists on screen only: line sets of measurements, times and text',
  options: displayOptions,
  isDisplay: true,
} satisfies Driver<DisplayOptions>;
