import { z } from 'zod';
import { uuid } from './identifier.ts';
import { settable } from './quantity.ts';
import { moment, timestamp } from './time.ts';

/** A time of the site's clock. */
export const clockTime = z
  .string()
  .max(5, { abort: true })
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of the day as HH:MM')
  .describe('By the clock of the site, HH:MM');

export const sunEvents = ['clock', 'sunrise', 'sunset', 'noon'] as const;

const value = settable.describe('Setpoint in the unit of the method');
const shape = z
  .enum(['linear', 'step'])
  .describe('linear: straight from point to point; step: each point holds until the next');
const points = <Point extends z.ZodType>(point: Point, least = 1) => z.array(point).min(least).max(200);

const bezierHandle = z.strictObject({
  minutes: z.number().min(0).max(1440).describe('Between the point and the handle, min'),
  value,
});

const ramp = z.union([
  z.strictObject({ minutes: z.number().min(0).max(720).describe('How long the ramp takes, min') }),
  z.strictObject({ per_h: z.number().min(0.001).max(1e6).describe('How steep it is, unit of the method per hour') }),
]);

const sunPoint = z.strictObject({
  event: z.enum(sunEvents).describe('What the point goes by'),
  at: clockTime.optional().describe('For the event clock alone, HH:MM'),
  offset_min: z
    .number()
    .min(-720)
    .max(720)
    .optional()
    .describe('After the event, before it where negative; 0 if absent'),
  value,
  ramp: ramp.optional().describe('From the value before; at once if absent. It ends with the next point at the latest'),
});
export type SunPoint = z.infer<typeof sunPoint>;

/** The fields of each kind. Points stand in the order of their times. */
const kinds = <At extends z.ZodType>(at: At) => ({
  date: { shape, points: points(z.strictObject({ at, value })) },
  daily: { shape, points: points(z.strictObject({ at: clockTime, value })) },
  sine: { points: z.tuple([z.strictObject({ at: clockTime, value }), z.strictObject({ at: clockTime, value })]) },
  bezier: {
    points: points(
      z.strictObject({ at: clockTime, value, before: bezierHandle.optional(), after: bezierHandle.optional() }),
      2,
    ),
  },
  duration: {
    shape,
    points: points(
      z.strictObject({ after_s: z.number().min(0).max(31_622_400).describe('Since the start, s'), value }),
    ),
    repeat: z
      .int()
      .min(0)
      .max(1_000_000)
      .nullable()
      .describe('How often it begins again after the last point, 0 for not at all, null for ever'),
  },
  cascade: {
    combine: z
      .enum(['sum', 'mean', 'least', 'most', 'percent'])
      .describe('percent: the first, times each of the others in %'),
    points: z
      .array(z.strictObject({ method_id: uuid }))
      .min(1)
      .max(20),
  },
  sun: { points: z.array(sunPoint).min(1).max(24) },
});

const named = {
  name: z.string().trim().min(1).max(200),
  unit: z.string().trim().min(1).max(16).describe('Of its values, as it is written behind a number'),
};
const kept = { unique_id: uuid, ...named, is_activated: z.boolean().describe('A method at rest gives no setpoint') };

const stored = kinds(timestamp);
const one = <Kind extends keyof typeof stored>(kind: Kind) =>
  z.strictObject({ ...kept, kind: z.literal(kind), ...stored[kind] });

export const method = z.discriminatedUnion('kind', [
  one('date'),
  one('daily'),
  one('sine'),
  one('bezier'),
  one('duration').extend({
    started_at: timestamp.nullable().describe('When it began; null while it rests'),
  }),
  one('cascade'),
  one('sun'),
]);
export type Method = z.infer<typeof method>;
export type MethodKind = Method['kind'];
export type MethodOf<Kind extends MethodKind> = Extract<Method, { kind: Kind }>;

const sent = kinds(moment);
const making = <Kind extends keyof typeof sent>(kind: Kind) =>
  z.strictObject({
    ...named,
    is_activated: z.boolean().optional().describe('true when absent'),
    kind: z.literal(kind),
    ...sent[kind],
  });

export const methodCreate = z.discriminatedUnion('kind', [
  making('date'),
  making('daily'),
  making('sine'),
  making('bezier'),
  making('duration'),
  making('cascade'),
  making('sun'),
]);
export type MethodCreate = z.infer<typeof methodCreate>;
