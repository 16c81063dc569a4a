import { z } from 'zod';
import { endpoint, type Endpoint } from './endpoint.ts';
import type { ActuatorRole } from './facility-binding.ts';
import { uuid } from './identifier.ts';
import type { FindSeries, MeasuredChannel } from './measured.ts';
import { nextCursor, pageQuery } from './page.ts';
import type { RefusalReason } from './refusal-reason.ts';

/** Common settings of every controller. */
export interface ControllerSettings {
  unique_id: string;
  name: string;
  is_activated: boolean;
  /** Of a kind that counts its changes: one that is based on another revision is refused. */
  revision?: number;
}

/**
 * What settings refer to and must exist: a channel of an output, a series of measurements, another controller, a
 * target.
 */
export type ControllerReference = {
  /** Path of the field that refers to it. */
  path: string;
} & (
  | { to: 'output'; id: string; channel?: number | undefined; isDriven?: boolean }
  | { to: 'measurement'; id: string; measurement_id: string }
  | { to: 'controller'; id: string; kind: string }
  /** A house, in which it drives the actuators bound to these roles. */
  | { to: 'facility'; id: string; drives: readonly ActuatorRole[] }
  | { to: 'target'; id: string; kind: 'mqtt' | 'webhook' | null }
);

/** A contradiction between fields. */
export type ControllerFault = {
  path: string;
  message: string;
  /** What the message names. */
  values?: Record<string, string | number>;
  /** Either lets a page word it in any language. */
} & ({ code: string } | { why: RefusalReason });

/** One kind of controller, as every layer knows it. */
export interface ControllerKind<
  Type extends string = string,
  Word extends string = string,
  Plural extends string = string,
  Settings extends ControllerSettings = ControllerSettings,
> {
  /** Its name on the remote object. */
  type: Type;
  /** Its name in REST, events, audit and texts, and its plural. */
  word: Word;
  plural: Plural;
  /** Its name in a sentence. */
  noun: string;
  /** A device has a driver and stands on maps. Other kinds control by means of devices. */
  isDevice: boolean;
  /** The source kind of its alarms. */
  alarmSource: 'input' | 'output' | 'controller';
  settings: z.ZodType<Settings>;
  /** The calls that read, create, change and delete one. */
  endpoints: ControllerEndpoints;
  /** Set for kinds stored in the common table; those with a table of their own have none. */
  stored?: StoredKind<Settings>;
  /** What one stores as measurements; absent when none does. */
  series?: MeasuringKind<Settings>;
}

/** Which series a kind's settings produce. */
interface MeasuringKind<Settings extends ControllerSettings> {
  /** `find` finds the series that it reads, from which the unit of its result follows. */
  channels(settings: Settings, find: FindSeries): MeasuredChannel[];
  /** Time between two values, s: no less than that of the series behind them. */
  period_s(settings: Settings, find: FindSeries): number;
  isTold: boolean;
}

/** The calls for settings; `unique_id` and the answer's members are those of the kind. */
export interface ControllerEndpoints {
  list: Endpoint;
  create: Endpoint;
  get: Endpoint;
  change: Endpoint;
  remove: Endpoint;
}

/** How settings without a table and a service of their own are made and checked. */
export interface StoredKind<Settings extends ControllerSettings> {
  /** Defaults for what a request leaves open. */
  defaults: Partial<Settings>;
  /** The request in the form in which it is stored; by default unchanged. */
  settled?(asked: object): object;
  /** Stored settings after a change; by default its fields replace the stored ones. */
  merged?(patch: object, before: object): object;
  references(settings: Settings): ControllerReference[];
  /** Time between two steps of what drives outputs, s; absent of kinds that drive none by themselves. */
  step_s?(settings: Settings): number;
  faults(settings: Settings): ControllerFault[];
}

/** Infers the types of a kind, so that they are not written twice. */
export function controllerKind<
  Type extends string,
  Word extends string,
  Plural extends string,
  Settings extends ControllerSettings,
>(kind: ControllerKind<Type, Word, Plural, Settings>): ControllerKind<Type, Word, Plural, Settings> {
  return kind;
}

interface Named {
  word: string;
  plural: string;
  /** One of it in a sentence: `a PID`. */
  one: string;
}

/** The five calls of `settings/KINDS`. `create` has no `unique_id`, and `patch` holds what may be changed. */
export function settingsEndpoints<Settings extends z.ZodType, Create extends z.ZodType, Patch extends z.ZodType>(
  { word, plural, one }: Named,
  { settings, create, patch }: { settings: Settings; create: Create; patch: Patch },
) {
  const path = `/api/settings/${plural}`;
  const params = /* @__PURE__ */ z.strictObject({ [`${word}_id`]: uuid });
  const oneOf = { tag: plural, path: `${path}/:${word}_id` };
  return {
    list: endpoint({
      method: 'GET',
      path,
      tag: plural,
      summary: `List the ${plural} with their settings`,
      access: 'view_settings',
      query: z.strictObject(pageQuery),
      answer: z.strictObject({ [plural]: z.array(settings), next_cursor: nextCursor }),
      statuses: [200],
    }),
    create: endpoint({
      method: 'POST',
      path,
      tag: plural,
      summary: `Make ${one}`,
      access: 'edit_controllers',
      body: create,
      answer: settings,
      statuses: [201],
      errors: ['unknown_reference', 'output_driven', 'circular_reference', 'endless_loop'],
    }),
    get: endpoint({
      ...oneOf,
      params,
      method: 'GET',
      summary: `Read the settings of ${one}`,
      access: 'view_settings',
      answer: settings,
      statuses: [200],
      errors: ['not_found'],
    }),
    change: endpoint({
      ...oneOf,
      params,
      method: 'PATCH',
      summary: `Change what the request names of ${one}`,
      access: 'edit_controllers',
      body: patch,
      answer: settings,
      statuses: [200],
      errors: [
        'not_found',
        'unknown_reference',
        'read_only_field',
        'output_driven',
        'circular_reference',
        'endless_loop',
        'in_use',
      ],
    }),
    remove: endpoint({
      ...oneOf,
      params,
      method: 'DELETE',
      summary: `Delete ${one} that nothing uses`,
      access: 'edit_controllers',
      answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
      statuses: [200],
      errors: ['not_found', 'in_use'],
    }),
  };
}
