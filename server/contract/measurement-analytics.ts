import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { meterBinding } from './facility-binding.ts';
import { channelNumber, uuid } from './identifier.ts';
import { outputOrigin } from './output.ts';
import { countOf, epochMs } from './quantity.ts';
import { moment, timestamp } from './time.ts';

const one = { device_id: uuid, measurement_id: uuid };
const span = {
  from: moment.describe('From this time on; at most ten years'),
  to: moment.optional().describe('To before this time; now when absent'),
};
/** Parts of a span of at most ten years. */
const seconds = z.number().min(0).max(320_000_000);
const covered_s = seconds.describe('Time for which there were readings, s: what is missing is in no sum');
const time_zone = z.string().describe('IANA name; days are those of the site');
const date = z.iso.date().describe('Day of the site’s time zone; the first and the last are cut by the span');

const degrees = {
  degree_hours: z.number().min(0).describe('K h above the base, 0 and more'),
  degree_days: z.number().min(0).describe('The same in K d, 0 and more'),
  covered_s,
};
export const degreeTime = z.strictObject({
  time_zone,
  ...degrees,
  days: z.array(z.strictObject({ date, ...degrees })),
});

const light = {
  light_sum_mol_m2: z.number().min(0).describe('Photons of 400 to 700 nm, mol/m2, 0 and more'),
  covered_s,
};
export const lightSum = z.strictObject({
  time_zone,
  unit: z.string().describe('Of the readings'),
  umol_m2_s_per_unit: z
    .number()
    .min(0)
    .max(1000)
    .describe('umol/m2/s that one unit of the readings was taken for, 0 to 1000'),
  ...light,
  days: z.array(z.strictObject({ date, ...light })),
});

const band = {
  below_s: seconds.describe('Time below the band, s'),
  in_band_s: seconds.describe('Time in the band, s'),
  above_s: seconds.describe('Time above the band, s'),
  covered_s: seconds.describe('Time for which there were readings of both, s: the three above together'),
};
export const deficitTime = z.strictObject({ time_zone, ...band, days: z.array(z.strictObject({ date, ...band })) });

const stateTimes = {
  on_s: seconds.describe('Time at more than 0 %, s'),
  off_s: seconds.describe('Time off, s'),
  unknown_s: seconds.describe('Time in which the state was unknown, s; it is neither on nor off'),
  unrecorded_s: seconds.describe('Time in which nothing was recorded, s'),
  full_load_s: seconds.describe('On-time weighted by duty or position, s'),
  starts: countOf('Times that it went on'),
};
export const stateTimeAnswer = z.strictObject({
  time_zone,
  ...stateTimes,
  days: z.array(z.strictObject({ date, ...stateTimes })),
});

const energies = {
  energy_kwh: z.number().describe('Energy, kWh; any finite number, for a meter may count both ways'),
  cost: z
    .number()
    .nullable()
    .describe('Energy or what was metered times its price, in its currency; any finite number, null without a price'),
  metered: z
    .number()
    .min(0)
    .nullable()
    .describe('What a counting meter rose by, in its unit, 0 and more; null of a rating and of a meter of power'),
  covered_s: seconds.describe(
    'Time for which there were readings or states, s: what is missing is in no sum but that of a counting meter',
  ),
};
export const energyAnswer = z.strictObject({
  time_zone,
  method: z.enum(['rating', 'meter']),
  rating_kw: z
    .number()
    .min(0)
    .max(1_000_000)
    .nullable()
    .describe('What the on-time was multiplied by, kW; null of a meter'),
  meter: z
    .strictObject({
      ...one,
      unit: z.string().describe('Of its readings'),
      kwh_per_unit: z
        .number()
        .min(0)
        .max(1_000_000)
        .nullable()
        .describe('Energy that one unit was taken for, kWh, 0 to 1,000,000; null of power'),
      restarts: countOf('How often a counter began again in the span: what passed before is in no sum')
        .nullable()
        .describe('How often a counter began again in the span: what passed before is in no sum; null of power'),
    })
    .nullable()
    .describe('What was read; null of a rating'),
  ...energies,
  days: z.array(z.strictObject({ date, ...energies })),
});

export const outputStates = z.strictObject({
  device_id: uuid,
  channel: channelNumber,
  states: z
    .array(
      z.strictObject({
        from: timestamp,
        to: timestamp,
        from_ms: epochMs.describe('from in epoch ms'),
        to_ms: epochMs.describe('to in epoch ms'),
        state: z
          .number()
          .min(0)
          .max(100)
          .nullable()
          .describe('0 off, 100 on, a position or duty cycle in % between; null unknown'),
      }),
    )
    .describe('In the order of time; between two that do not touch nothing was recorded'),
  is_complete: z.boolean().describe('false: there are more, of which the newest 2000 are given'),
});

const switchedState = outputStates.shape.states.element.shape.state;
export const outputSwitches = z.strictObject({
  device_id: uuid,
  channel: channelNumber,
  switches: z
    .array(
      z.strictObject({
        at: timestamp,
        at_ms: epochMs.describe('at in epoch ms'),
        state: switchedState.describe('From then on: 0 off, 100 on, in % between; null unknown'),
        origin: outputOrigin
          .nullable()
          .describe('Who or what drove it there; null where nothing did, and of what is older than samples are kept'),
      }),
    )
    .describe('The newest first, from the one that the span begins in'),
  is_complete: z.boolean().describe('false: there are more, of which the newest are given'),
});

const price_per_kwh = z.number().min(0).max(1e6).optional().describe('Price of a kWh, in any currency');
const output = { device_id: uuid.describe('Output'), channel: channelNumber.optional().describe('0 when absent') };
const tag = 'measurements';
const errors = ['not_found', 'not_available'] as const;

const analytics = <Answer extends z.ZodType, Query extends z.ZodType>(
  name: string,
  { summary, query, answer }: { summary: string; query: Query; answer: Answer },
) =>
  endpoint({
    method: 'GET',
    path: `/api/measurements/${name}`,
    tag,
    summary,
    access: 'view_stats',
    query,
    answer,
    statuses: [200],
    errors,
  });

export const measurementAnalyticsEndpoints = {
  states: analytics('states', {
    summary: 'Read when an output was in which state',
    query: z.strictObject({ ...output, ...span }),
    answer: outputStates,
  }),
  switches: analytics('switches', {
    summary: 'Read when an output was switched, and by whom or by which rule with which numbers',
    query: z.strictObject({
      ...output,
      ...span,
      limit: z.int().min(1).max(1000).optional().describe('The newest so many; 200 when absent'),
    }),
    answer: outputSwitches,
  }),
  degreeTime: analytics('analytics/degree_days', {
    summary: 'Degree hours and degree days of a temperature above a base',
    query: z.strictObject({
      ...one,
      ...span,
      base_c: z.number().min(-50).max(60).describe('Below this temperature nothing counts, C'),
      upper_c: z.number().min(-50).max(80).optional().describe('Above this temperature no more counts than at it, C'),
    }),
    answer: degreeTime,
  }),
  lightSum: analytics('analytics/light_sum', {
    summary: 'Light sum (of a day: daily light integral) of a series in W/m2, lx, klx or umol/m2/s',
    query: z.strictObject({
      ...one,
      ...span,
      light_source: z
        .enum(['daylight', 'high_pressure_sodium', 'metal_halide', 'fluorescent', 'incandescent'])
        .optional()
        .describe('What shines, for a series in lx; daylight when absent'),
    }),
    answer: lightSum,
  }),
  deficitTime: analytics('analytics/vpd', {
    summary: 'Time that the vapour pressure deficit was below, in and above a band',
    query: z.strictObject({
      temperature: z
        .string()
        .regex(pairPattern(), 'must be device_id/measurement_id')
        .toLowerCase()
        .describe('device_id/measurement_id'),
      humidity: z
        .string()
        .regex(pairPattern(), 'must be device_id/measurement_id')
        .toLowerCase()
        .describe('device_id/measurement_id'),
      ...span,
      low_kpa: z.number().min(0).max(20).describe('Lower end of the band, kPa'),
      high_kpa: z.number().min(0).max(20).describe('Upper end of the band, kPa'),
    }),
    answer: deficitTime,
  }),
  stateTime: analytics('analytics/time_in_state', {
    summary: 'Time that an output was on, off and unknown, and how often it went on',
    query: z.strictObject({ ...output, ...span }),
    answer: stateTimeAnswer,
  }),
  energy: analytics('analytics/energy', {
    summary:
      'Energy and cost of an actuator: by the meter that a facility binds to it, else by its rating and on-time; or of a meter itself',
    query: z.strictObject({
      ...output,
      ...span,
      device_id: uuid.describe('Output; or, with measurement_id, the input that meters'),
      measurement_id: uuid.optional().describe('Of a meter: power, or counted energy, volume or pulses'),
      rating_kw: z
        .number()
        .min(0)
        .max(100_000)
        .optional()
        .describe(
          'Power at full load, kW, whatever is metered; when absent, what the facility that binds the output says: its meter, else its rating',
        ),
      kwh_per_unit: meterBinding.shape.kwh_per_unit,
      price_per_kwh,
      price_per_unit: z
        .number()
        .min(0)
        .max(1e6)
        .optional()
        .describe('Price of one unit that a counting meter counts, instead of that of a kWh, in any currency'),
    }),
    answer: energyAnswer,
  }),
};

function pairPattern(): RegExp {
  const id = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}';
  return new RegExp(`^${id}/${id}$`);
}
