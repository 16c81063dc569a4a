import { z } from 'zod';
import { endpoint, type Endpoint } from './endpoint.ts';
import type { ActuatorRole } from './facility-binding.ts';
import { uuid } from './identifier.ts';
import type { FindSeries, MeasuredChannel } from './measured.ts';
import { nextCursor, pageQuery } from './page.ts';

/** What the settings of every controller have. */
export interface ControllerSettings {
  unique_id: string;
  name: string;
  is_activated: boolean;
}

/** Something that settings name and that must be there: a channel of an output, a series of measurements, another controller, a target. */
export type ControllerReference = {
  /** Of the field that names it. */
  path: string;
} & (
  | { to: 'output'; id: string; channel?: number | undefined; isDriven?: boolean }
  | { to: 'measurement'; id: string; measurement_id: string }
  | { to: 'controller'; id: string; kind: string }
  /** A house, of which it drives what is bound in these roles. */
  | { to: 'facility'; id: string; drives: readonly ActuatorRole[] }
  | { to: 'target'; id: string; kind: 'mqtt' | 'webhook' | null }
);

/** A field that contradicts another one. */
export interface ControllerFault {
  path: string;
  message: string;
  /** By which a page says it in its own words, with what the message names. */
  code?: string;
  values?: Record<string, string | number>;
}

/** One kind of what the daemon runs, as every layer knows it. */
export interface ControllerKind<
  Type extends string = string,
  Word extends string = string,
  Plural extends string = string,
  Settings extends ControllerSettings = ControllerSettings,
> {
  /** Its name on the remote object. */
  type: Type;
  /** Its name in REST, events, audit and texts, and that of several. */
  word: Word;
  plural: Plural;
  /** What a sentence calls one. */
  noun: string;
  /** A device: it has a driver and stands on maps. The others control by devices. */
  isDevice: boolean;
  /** What an alarm of one is about. */
  alarmSource: 'input' | 'output' | 'controller';
  settings: z.ZodType<Settings>;
  /** How one is read, made, changed and deleted. */
  endpoints: ControllerEndpoints;
  /** What is stored beside the others in one table; those with a table of their own have none. */
  stored?: StoredKind<Settings>;
  /** What one stores as measurements; absent where none does. */
  series?: MeasuringKind<Settings>;
}

/** How a kind tells which series its settings make. */
interface MeasuringKind<Settings extends ControllerSettings> {
  /** `find` finds what it reads itself: the unit of what is worked out follows from that. */
  channels(settings: Settings, find: FindSeries): MeasuredChannel[];
  /** Time between two values, s: no less than that of what they are worked out of. */
  period_s(settings: Settings, find: FindSeries): number;
  isTold: boolean;
}

/** The calls by which settings are kept; `unique_id` and the answer's members are those of the kind. */
export interface ControllerEndpoints {
  list: Endpoint;
  create: Endpoint;
  get: Endpoint;
  change: Endpoint;
  remove: Endpoint;
}

/** How settings without a table and a service of their own are made and judged. */
export interface StoredKind<Settings extends ControllerSettings> {
  /** What a request to make one left open. */
  defaults: Partial<Settings>;
  /** What was asked for in the form in which it is stored; as it is where absent. */
  settled?(asked: object): object;
  /** Stored settings with what a change names; its fields replace the stored ones where absent. */
  merged?(patch: object, before: object): object;
  references(settings: Settings): ControllerReference[];
  faults(settings: Settings): ControllerFault[];
}

/** Keeps the types of a kind without writing them twice. */
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
  /** As a sentence has one of it: `a PID`. */
  one: string;
}

/** The five calls of `settings/KINDS`. `create` names no `unique_id`, and `patch` what may be changed. */
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
