import { z } from 'zod';
import {
  controllerKind,
  settingsEndpoints,
  type ControllerFault,
  type ControllerReference,
  type ControllerSettings,
} from './controller-kind.ts';
import { endpoint } from './endpoint.ts';
import {
  functionCommands,
  type FunctionCommand,
  type FunctionDefinition,
  type ReadSeries,
} from './functions/definition.ts';
import { functionDefinitions } from './functions/list.ts';
import { name, uuid } from './identifier.ts';
import { ownMeasurementId, seriesKey, type FindSeries, type MeasuredChannel } from './measured.ts';
import type { OutputRef } from './output.ts';
import { measured } from './quantity.ts';
import { reason } from './reason.ts';
import { timestamp } from './time.ts';
import { measurementUnits } from './units.ts';
import { why } from './refusal-reason.ts';

type Definitions = typeof functionDefinitions;
export type FunctionKind = keyof Definitions;
export type FunctionOptions<Kind extends FunctionKind> = z.infer<Definitions[Kind]['options']>;
export const functionKinds = Object.keys(functionDefinitions) as [FunctionKind, ...FunctionKind[]]; // of a const object

interface SettingsOf<Kind extends FunctionKind> extends ControllerSettings {
  kind: Kind;
  options: FunctionOptions<Kind>;
}
export type FunctionSettings = { [Kind in FunctionKind]: SettingsOf<Kind> }[FunctionKind];

const named = { name, is_activated: z.boolean() };

/** A schema for each kind, as a non-empty list. */
function branches<Schema>(schemaOf: (kind: FunctionKind) => Schema): [Schema, ...Schema[]] {
  const [first, ...rest] = functionKinds;
  return [schemaOf(first), ...rest.map(schemaOf)];
}

export const functionSettings: z.ZodType<FunctionSettings> = z.discriminatedUnion(
  'kind',
  branches((kind) =>
    z.strictObject({ unique_id: uuid, ...named, kind: z.literal(kind), options: functionDefinitions[kind].options }),
  ),
) as unknown as z.ZodType<FunctionSettings>; // each kind with its own options

/** A union in which every branch reports unknown fields. */
export const functionCreate = z.union(
  branches((kind) =>
    z.strictObject({
      name,
      is_activated: named.is_activated.describe('true when absent').optional(),
      kind: z.literal(kind),
      options: functionDefinitions[kind].options,
    }),
  ),
);

const [firstOptions, ...otherOptions] = new Set(functionKinds.map((kind) => functionDefinitions[kind].options));

/** Fields that are not named stay; the options are replaced whole, and the kind stays. */
export const functionPatch = z
  .strictObject({
    unique_id: uuid.describe('Read only, accepted unchanged'),
    ...named,
    options: z.union([firstOptions ?? z.never(), ...otherOptions]),
  })
  .partial();

/** The progress of something that takes time. */
const progress = z.strictObject({
  what: z
    .enum(['mixing', 'locked', 'window'])
    .describe('A dose is mixed in; the pump rests after one of the other side; the window of a statistic fills'),
  done_pct: z.number().min(0).max(100).describe('Of its time, in %'),
  ends_at: timestamp,
});

/** The live state of a function. */
export const functionLive = z.strictObject({
  function_id: uuid,
  value: measured('What it works out, or goes by; null while a measurement is missing or too old').nullable(),
  unit: z.string().max(32).nullable().describe('Of the value; null where there is none'),
  is_on: z.boolean().nullable().describe('Whether it asks its output to be on; null where it asks for nothing'),
  because: z.string().max(500).nullable().describe('The rule with its numbers, in English; null where there are none'),
  reason: reason.nullable().describe('The same as data'),
  at: timestamp.nullable().describe('When it looked last; null while it does not run'),
  progress: progress.nullable().describe('null while nothing of it takes time'),
  values: z
    .array(z.strictObject({ name: z.string(), value: measured('In the unit').nullable(), unit: z.string().max(32) }))
    .describe('All that it stores, in the order of its channels'),
});
export type FunctionLive = z.infer<typeof functionLive>;

export const functionOrder = z.strictObject({
  command: z.enum(functionCommands).describe('One that the kind declares: GET /api/functions/kinds'),
  arguments: z.strictObject({}).describe('No command takes any').optional(),
});

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
          commands: z.array(z.enum(functionCommands)).describe('What one of this kind can be told'),
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
  command: endpoint({
    method: 'POST',
    path: '/api/functions/:function_id/command',
    tag,
    summary: 'Have a function look at once, or begin anew',
    access: 'edit_controllers',
    budget: 'command',
    params: z.strictObject({ function_id: uuid }),
    body: functionOrder,
    answer: functionLive,
    statuses: [200],
    errors: ['not_found', 'not_active', 'command_failed', 'command_unknown', 'daemon_unreachable'],
  }),
};

/** The definition of a function's kind; call it only with options of that kind. */
export function functionDefinition({ kind }: Pick<FunctionSettings, 'kind'>): FunctionDefinition {
  return functionDefinitions[kind];
}

/** The commands that it takes while it runs. */
export function commandsOf(kind: FunctionKind): readonly FunctionCommand[] {
  return functionDefinition({ kind }).commands ?? ['look'];
}

/** The series that it reads, with the path of each field. */
export function functionReads(settings: FunctionSettings): readonly ReadSeries[] {
  const read = functionDefinition(settings).reads(settings.options);
  return read.map((one) => ({ ...one, path: `options.${one.path}` }));
}

/** The outputs that it drives. */
export function functionOutputs(settings: FunctionSettings): readonly (readonly [path: string, output: OutputRef])[] {
  const driven = functionDefinition(settings).drives?.(settings.options) ?? [];
  return driven.map(([path, output]) => [`options.${path}`, output]);
}

function references(settings: FunctionSettings): ControllerReference[] {
  const read = functionReads(settings).map(
    ({ path, series: { device_id: id, measurement_id } }): ControllerReference => ({
      path,
      to: 'measurement',
      id,
      measurement_id,
    }),
  );
  const driven = functionOutputs(settings).map(([path, { output_id: id, channel }]): ControllerReference => ({
    path,
    to: 'output',
    id,
    channel,
    isDriven: true,
  }));
  return [...read, ...driven];
}

function faults(settings: FunctionSettings): ControllerFault[] {
  const read = functionReads(settings);
  const names = read.map(({ series }) => seriesKey(series));
  const [double] = read.filter((_, index) => names.indexOf(names[index] ?? '') < index);
  const own = functionDefinition(settings).faults?.(settings.options) ?? [];
  return [
    ...(double === undefined ? [] : [{ path: double.path, ...why('named_already') }]),
    ...own.map((fault) => ({ ...fault, path: `options.${fault.path}` })),
  ];
}

/** The series that it stores; none while those it reads do not exist. */
function channels(settings: FunctionSettings, find: FindSeries): MeasuredChannel[] {
  const [first] = functionReads(settings);
  const found = first && find(first.series);
  if (found === undefined) return [];
  const values = functionDefinition(settings).values(found.measurement);
  return values.map(({ name: called, measurement }, channel) => ({
    channel,
    name: called,
    measurement,
    unit: measurementUnits[measurement],
    measurement_id: ownMeasurementId(settings.unique_id, channel),
  }));
}

/** A value is no newer than the readings behind it. */
function period_s(settings: FunctionSettings, find: FindSeries): number {
  const read = functionReads(settings).map(({ series }) => find(series)?.period_s ?? 0);
  return Math.max(settings.options.period_s, ...read);
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
  stored: { defaults: { is_activated: true }, references, step_s: ({ options }) => options.period_s, faults },
  series: { channels, period_s, isTold: true },
});
