import { z } from 'zod';

/** A time in answers. */
export const timestamp = z.iso.datetime().describe('ISO 8601, UTC');

const error = 'must be a time: ISO 8601 with Z or an offset, or epoch ms from 0 on';
const text = z.iso.datetime({ offset: true, error }).describe('ISO 8601 with Z or an offset');
const number = z.int({ error }).min(0, { error }).max(8_640_000_000_000_000, { error }).describe('Epoch ms');

/** A time in requests, in either form; services convert it (`epochOf`, `isoOf`). */
export const moment = z.union([text, number]);
export type Moment = z.infer<typeof moment>;

/** Epoch ms. */
export function epochOf(time: Moment): number {
  return typeof time === 'number' ? time : Date.parse(time);
}

/** ISO 8601 in UTC with milliseconds, for which text order is time order. */
export function isoOf(time: Moment): string {
  return new Date(epochOf(time)).toISOString();
}
