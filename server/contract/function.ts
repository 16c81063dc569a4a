import { z } from 'zod';
import {
  controllerKind,
  settingsEndpoints,
  type ControllerFault,
  type ControllerReference,
} from './controller-kind.ts';
import { endpoint } from './endpoint.ts';
import { name, uuid } from './identifier.ts';
import { outputRef } from './output.ts';
import { controlMeasurement, type ControlMeasurement } from './pid.ts';
import { measured, settable } from './quantity.ts';
import { timestamp } from './time.ts';

const period_s = z.number().min(1).max(3_600).describe('Time between two looks, in s');
const series = controlMeasurement;
const several = z.array(series).min(2).max(20).describe('Of one quantity, each named once');
const air = z.strictObject({
  period_s,
  temperature: series.describe('Of the air, C'),
  humidity: series.describe('Relative, of the same air, %'),
});

/** What each kind goes by. */
export const functionOptions = {
  bang_bang: z.strictObject({
    period_s,
    measurement: series,
    output: outputRef,
    direction: z.enum(['raise', 'lower']).describe('What the output does to the measurement'),
    setpoint: settable.describe('In the unit of the measurement, -1e15 to 1e15'),
    hysteresis: z
      .number()
      .min(0)
      .max(1e15)
      .describe('How far beyond the setpoint it switches, to either side, in the unit of the measurement'),
  }),
  average: z.strictObject({
    period_s,
    measurements: several,
    at_least: z.int().min(1).max(20).describe('So many must be good; all when absent').optional(),
  }),
  difference: z.strictObject({ period_s, measurement: series, minus: series }),
  sum: z.strictObject({ period_s, measurements: several }),
  redundancy: z.strictObject({ period_s, measurements: several.describe('The first that is good counts') }),
  vpd: air,
  wet_bulb: air,
  dew_point: air,
};
type Kinds = typeof functionOptions;
export type FunctionKind = keyof Kinds;
export type FunctionOptions<Kind extends FunctionKind> = z.infer<Kinds[Kind]>;
export const functionKinds = Object.keys(functionOptions) as [FunctionKind, ...FunctionKind[]]; // of a const object

const named = { name, is_activated: z.boolean() };
const stored = <Kind extends FunctionKind>(kind: Kind) =>
  z.strictObject({ unique_id: uuid, ...named, kind: z.literal(kind), options: functionOptions[kind] });

export const functionSettings = z.discriminatedUnion('kind', [
  stored('bang_bang'),
  stored('average'),
  stored('difference'),
  stored('sum'),
  stored('redundancy'),
  stored('vpd'),
  stored('wet_bulb'),
  stored('dew_point'),
]);
export type FunctionSettings = z.infer<typeof functionSettings>;

const making = <Kind extends FunctionKind>(kind: Kind) =>
  z.strictObject({
    name,
    is_activated: named.is_activated.describe('true when absent').optional(),
    kind: z.literal(kind),
    options: functionOptions[kind],
  });

/** A union, whose branches all tell an unknown field. */
export const functionCreate = z.union([
  making('bang_bang'),
  making('average'),
  making('difference'),
  making('sum'),
  making('redundancy'),
  making('vpd'),
  making('wet_bulb'),
  making('dew_point'),
]);

/** Fields that are not named stay; the options are replaced whole, and the kind stays. */
export const functionPatch = z
  .strictObject({
    unique_id: uuid.describe('Read only, accepted unchanged'),
    ...named,
    options: z.union([
      functionOptions.bang_bang,
      functionOptions.average,
      functionOptions.difference,
      functionOptions.sum,
      functionOptions.redundancy,
      air,
    ]),
  })
  .partial();

/** A function at this moment. */
export const functionLive = z.strictObject({
  function_id: uuid,
  value: measured('What it works out, or goes by; null while a measurement is missing or too old').nullable(),
  unit: z.string().max(32).nullable().describe('Of the value; null where there is none'),
  is_on: z.boolean().nullable().describe('Whether it asks its output to be on; null where it asks for nothing'),
  because: z.string().max(500).nullable().describe('The rule with its numbers; null where there are none'),
  at: timestamp.nullable().describe('When it looked last; null while it does not run'),
});
export type FunctionLive = z.infer<typeof functionLive>;

const tag = 'functions';
export const functionEndpoints = {
  ...settingsEndpoints(
    { word: 'function', plural: 'functions', one: 'a function' },
    { settings: functionSettings, create: functionCreate, patch: functionPatch },
  ),
  kinds: endpoint({
    method: 'GET',
    path: '/api/functions/kinds',
    tag,
    summary: 'List the kinds of functions with the schemas of their options',
    access: 'view_settings',
    answer: z.strictObject({
      kinds: z.array(
        z.strictObject({
          kind: z.enum(functionKinds),
          options_schema: z.record(z.string(), z.json()).describe('JSON Schema of the options'),
        }),
      ),
    }),
    statuses: [200],
  }),
  listLive: endpoint({
    method: 'GET',
    path: '/api/functions',
    tag,
    summary: 'List the functions as they are now',
    access: 'view_stats',
    answer: z.strictObject({ functions: z.array(functionLive) }),
    statuses: [200],
  }),
};

/** The series that it reads, by the path of the field that names each. */
export function functionSeries(settings: FunctionSettings): readonly (readonly [path: string, ControlMeasurement])[] {
  const { options } = settings;
  if ('measurements' in options)
    return options.measurements.map((one, index) => [`options.measurements[${index}]`, one] as const);
  if ('temperature' in options)
    return [
      ['options.temperature', options.temperature],
      ['options.humidity', options.humidity],
    ];
  const first = ['options.measurement', options.measurement] as const;
  return 'minus' in options ? [first, ['options.minus', options.minus]] : [first];
}

function references(settings: FunctionSettings): ControllerReference[] {
  const read = functionSeries(settings).map(([path, { device_id: id, measurement_id }]): ControllerReference => ({
    ...{ path, to: 'measurement', id, measurement_id },
  }));
  if (settings.kind !== 'bang_bang') return read;
  const { output_id: id, channel } = settings.options.output;
  return [...read, { path: 'options.output', to: 'output', id, channel, isDriven: true }];
}

function faults(settings: FunctionSettings): ControllerFault[] {
  const read = functionSeries(settings);
  const ids = read.map(([, { measurement_id }]) => measurement_id);
  const [double] = read.filter((_, index) => ids.indexOf(ids[index] ?? '') < index);
  const found: ControllerFault[] = [];
  if (double !== undefined) found.push({ path: double[0], message: 'is named already' });
  if (settings.kind === 'average' && (settings.options.at_least ?? 0) > settings.options.measurements.length)
    found.push({ path: 'options.at_least', message: 'must not be more than there are measurements' });
  return found;
}

export const functionKind = controllerKind({
  type: 'Function',
  word: 'function',
  plural: 'functions',
  noun: 'function',
  isDevice: false,
  alarmSource: 'controller',
  settings: functionSettings,
  endpoints: functionEndpoints,
  stored: { defaults: { is_activated: true }, references, faults },
});
