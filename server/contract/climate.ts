import { z } from 'zod';
import { aimChannels, climateStored_s } from './climate-aims.ts';
import { climateFaultAt } from './climate-fault.ts';
import { climateChange } from './climate-history.ts';
import { climateLive, climatePreview } from './climate-live.ts';
import { climatePreset } from './climate-preset.ts';
import { rehearsalRequest } from './climate-rehearsal.ts';
import {
  climateAsked,
  climateDefaults,
  climateLoops,
  climateSettings,
  setpointRanges,
  type Climate,
  type ClimateLoop,
  type ClimateOverride,
  type ClimateProgram,
} from './climate-settings.ts';
import {
  controllerKind,
  settingsEndpoints,
  type ControllerFault,
  type ControllerReference,
} from './controller-kind.ts';
import { endpoint } from './endpoint.ts';
import type { ActuatorRole } from './facility-binding.ts';
import { uuid } from './identifier.ts';
import { jobStarted } from './job.ts';
import { revisionNumber } from './quantity.ts';
import { isoOf, moment } from './time.ts';

/** Time between two steps of a running program, s. */
export const climatePeriod_s = 30;

/** The roles whose actuators each loop drives, if the house binds them. */
export const rolesOfLoop: Readonly<Record<ClimateLoop, readonly ActuatorRole[]>> = {
  mean_temperature: [],
  screens: ['thermal_curtain', 'shade_curtain'],
  humidity: ['fogger'],
  ventilation: ['roof_vent', 'side_vent', 'exhaust_fan'],
  heating: ['heater', 'mixing_valve'],
  lamps: ['lighting'],
  co2: ['co2_supply'],
  irrigation: ['irrigation_valve', 'irrigation_pump'],
  circulation: ['circulation_fan'],
};

const loopNames = Object.keys(climateLoops) as ClimateLoop[]; // of a const object

/** The roles that a program drives: those of the loops that are on. */
export function drivenRoles(program: ClimateProgram): ActuatorRole[] {
  return loopNames.filter((loop) => program[loop].is_on).flatMap((loop) => rolesOfLoop[loop]);
}

export const climateCreate = z.strictObject({ facility_uuid: uuid.describe('The house'), ...climateAsked });
/** A change based on another revision is refused. */
const basedOn = revisionNumber.optional().describe('The revision that the change is based on; not checked when absent');
export const climatePatch = z
  .strictObject({
    unique_id: uuid.describe('Read only, accepted unchanged'),
    revision: basedOn,
    ...climateCreate.shape,
  })
  .partial();
/** For the house in the path. */
export const climateSave = z.strictObject({
  revision: basedOn.describe(
    'The revision that the change is based on, 0 where there was no program; not checked when absent',
  ),
  ...climateAsked,
});

const settings = settingsEndpoints(
  { word: 'climate', plural: 'climates', one: 'a climate program' },
  { settings: climateSettings, create: climateCreate, patch: climatePatch },
);

const params = z.strictObject({ facility_uuid: uuid });
const previewSpan = z.strictObject({
  from: moment.optional().describe('Within three days of now, by the periods alone before it; now when absent'),
  hours: z.coerce.number().int().min(1).max(72).optional().describe('How many, h; 24 when absent'),
});
const house = { tag: 'climates', path: '/api/geo/facility/:facility_uuid/climate', params };

export const climateEndpoints = {
  ...settings,
  change: { ...settings.change, errors: [...(settings.change.errors ?? []), 'revision_conflict' as const] },
  ofHouse: endpoint({
    ...house,
    method: 'GET',
    summary: 'Read the climate program of a house',
    access: 'login',
    answer: climateSettings,
    statuses: [200],
    errors: ['not_found'],
  }),
  save: endpoint({
    ...house,
    method: 'POST',
    summary: 'Make the climate program of a house, or change what the request names of it: loops merge by key',
    access: 'edit_controllers',
    body: climateSave,
    answer: climateSettings,
    statuses: [200, 201],
    errors: ['not_found', 'unknown_reference', 'output_driven', 'read_only_field', 'revision_conflict'],
  }),
  clear: endpoint({
    ...house,
    method: 'DELETE',
    summary: 'Delete the climate program of a house; what it drives goes safe',
    access: 'edit_controllers',
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['not_found', 'in_use'],
  }),
  live: endpoint({
    ...house,
    path: `${house.path}/live`,
    method: 'GET',
    summary: 'Read what a climate program goes for, does and why, now',
    access: 'view_stats',
    answer: climateLive,
    statuses: [200],
    errors: ['not_found'],
  }),
  preview: endpoint({
    ...house,
    path: `${house.path}/preview`,
    method: 'GET',
    summary: 'Read the setpoints of the hours to come',
    access: 'login',
    budget: 'calculation',
    query: previewSpan,
    answer: climatePreview,
    statuses: [200],
    errors: ['not_found'],
  }),
  previewChanged: endpoint({
    ...house,
    path: `${house.path}/preview`,
    method: 'POST',
    summary: 'Read the setpoints as a change would make them, before it is taken; saves nothing',
    access: 'login',
    budget: 'calculation',
    query: previewSpan,
    body: z.strictObject(climateAsked),
    answer: climatePreview,
    statuses: [200],
    errors: ['not_found', 'unknown_reference'],
  }),
  presets: endpoint({
    method: 'GET',
    path: '/api/geo/climate_presets',
    tag: 'climates',
    summary: 'Read programs by crop, with who says each number',
    access: 'login',
    answer: z.strictObject({ presets: z.array(climatePreset) }),
    statuses: [200],
  }),
  history: endpoint({
    ...house,
    path: `${house.path}/history`,
    method: 'GET',
    summary: 'Read the changes of a climate program, the newest first',
    access: 'edit_controllers',
    answer: z.strictObject({ changes: z.array(climateChange) }),
    statuses: [200],
    errors: ['not_found'],
  }),
  undo: endpoint({
    ...house,
    path: `${house.path}/undo`,
    method: 'POST',
    summary: 'Bring a climate program back to what it was before a change; whether it is on stays as it is',
    access: 'edit_controllers',
    body: z.strictObject({
      id: climateChange.shape.id,
      revision: basedOn,
    }),
    answer: climateSettings,
    statuses: [200],
    errors: ['not_found', 'unknown_reference', 'output_driven', 'revision_conflict'],
  }),
  rehearse: endpoint({
    ...house,
    path: `${house.path}/rehearse`,
    method: 'POST',
    summary:
      'Begin to run the program, and a change beside it, through days of weather in the model of the house; the result is that of the job',
    access: 'login',
    budget: 'calculation',
    body: rehearsalRequest,
    answer: jobStarted,
    statuses: [201],
    errors: ['not_found', 'unknown_reference'],
  }),
};

type Sent = Partial<Record<ClimateLoop | 'limits', object>>;
const merged = [...loopNames, 'limits'] as const;

/** A request in stored form: what its loops omit is taken from `base`. */
function completed(asked: object, base: object): object {
  const [sent, below] = [asked as Sent, base as Sent]; // loops are objects, as the schemas of the requests require
  const loops = merged.map((key) => [key, { ...below[key], ...sent[key] }]);
  const { overrides } = asked as { overrides?: ClimateOverride[] }; // as the schemas require
  const held = overrides && { overrides: overrides.map((one) => ({ ...one, until: isoOf(one.until) })) };
  return { ...base, ...asked, ...(Object.fromEntries(loops) as object), ...held };
}

function references({ facility_uuid: id, ...program }: Climate): ControllerReference[] {
  const { measurements } = read(program);
  return [{ path: 'facility_uuid', to: 'facility', id, drives: drivenRoles(program) }, ...measurements];
}

function read({ influences }: Pick<ClimateProgram, 'influences'>) {
  const measurements = influences.flatMap(({ measurement }, index): ControllerReference[] =>
    measurement === undefined
      ? []
      : [
          {
            path: `influences[${index}].measurement`,
            to: 'measurement',
            id: measurement.device_id,
            measurement_id: measurement.measurement_id,
          },
        ],
  );
  return { measurements };
}

type Check = (program: Climate) => (ControllerFault | false)[];

const periodFaults: Check = ({ periods, heating }) =>
  periods.flatMap(({ start, setpoints }, index) => {
    const path = `periods[${index}]`;
    const { heating_c, ventilation_c, vent_min_pct = 0, vent_max_pct = 100 } = setpoints;
    const { pipe_min_c = heating.pipe_min_c ?? -Infinity, pipe_max_c = heating.pipe_max_c } = setpoints;
    return [
      (start.event === 'clock') !== (start.at !== undefined) && climateFaultAt(`${path}.start.at`, 'clock_time'),
      ventilation_c < heating_c && climateFaultAt(`${path}.setpoints.ventilation_c`, 'ventilation_below_heating'),
      vent_min_pct > vent_max_pct && climateFaultAt(`${path}.setpoints.vent_min_pct`, 'vent_min_above_max'),
      pipe_min_c >= pipe_max_c && climateFaultAt(`${path}.setpoints.pipe_min_c`, 'pipe_min_above_max'),
    ];
  });

const influenceFaults: Check = ({ influences }) =>
  influences.flatMap(({ source, measurement, from_x, to_x }, index) => [
    from_x === to_x && climateFaultAt(`influences[${index}].to_x`, 'influence_flat'),
    (source === 'measurement') !== (measurement !== undefined) &&
      climateFaultAt(`influences[${index}].measurement`, 'influence_measurement'),
  ]);

const overrideFaults: Check = ({ overrides }) =>
  overrides.flatMap(({ on, value }, index) => {
    const [least, most] = setpointRanges[on];
    const path = `overrides[${index}]`;
    return [
      (value < least || value > most) && climateFaultAt(`${path}.value`, 'override_range', { least, most }),
      overrides.findIndex((one) => one.on === on) < index && climateFaultAt(`${path}.on`, 'override_twice'),
    ];
  });

const loopFaults: Check = ({ ventilation, lamps, screens, co2, irrigation }) => {
  const { most_rest_min, least_rest_min, times } = irrigation;
  return [
    ventilation.cold_c >= ventilation.warm_c && climateFaultAt('ventilation.cold_c', 'cold_not_below_warm'),
    ventilation.band_cold_k < ventilation.band_warm_k && climateFaultAt('ventilation.band_cold_k', 'cold_band_narrow'),
    (co2.light_full_w_m2 ?? Infinity) <= co2.light_least_w_m2 &&
      climateFaultAt('co2.light_full_w_m2', 'light_not_above'),
    lamps.below_w_m2 >= lamps.above_w_m2 && climateFaultAt('lamps.above_w_m2', 'lamps_never_off'),
    !ascends(screens.energy.map(({ outdoor_c }) => outdoor_c)) && climateFaultAt('screens.energy', 'not_ascending'),
    !ascends(screens.shade.map(({ radiation_w_m2 }) => radiation_w_m2)) &&
      climateFaultAt('screens.shade', 'not_ascending'),
    !ascends(times.map((at) => Number(at.replace(':', '')))) && climateFaultAt('irrigation.times', 'not_ascending'),
    most_rest_min !== null &&
      most_rest_min < least_rest_min &&
      climateFaultAt('irrigation.most_rest_min', 'rest_most_below_least'),
  ];
};

function ascends(values: readonly number[]): boolean {
  return values.every((value, index) => index === 0 || value > (values[index - 1] ?? Infinity));
}

/** The faults visible from a program alone; those of its house and of the sun are checked where these are known. */
export function climateFaults(program: Climate): ControllerFault[] {
  return [
    ...periodFaults(program),
    ...influenceFaults(program),
    ...overrideFaults(program),
    ...loopFaults(program),
  ].filter((one) => one !== false);
}

export const climateKind = controllerKind({
  type: 'Climate',
  word: 'climate',
  plural: 'climates',
  noun: 'climate program',
  isDevice: false,
  alarmSource: 'controller',
  settings: climateSettings,
  endpoints: climateEndpoints,
  stored: {
    defaults: { is_activated: true, name: 'Climate' },
    settled: (asked) => completed({ revision: 1, ...asked }, climateDefaults),
    merged: (patch, before) => {
      const { revision } = before as Climate; // as it is stored
      return { ...completed(patch, before), revision: revision + 1 };
    },
    references,
    step_s: () => climatePeriod_s,
    faults: climateFaults,
  },
  series: { channels: (settings) => aimChannels(settings), period_s: () => climateStored_s, isTold: false },
});
