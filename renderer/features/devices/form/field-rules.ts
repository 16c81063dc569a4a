import type { DeviceForm } from './device-form.ts';
import { groupOf, type Group } from './option-schema.ts';

const isBit = ({ table }: Group): boolean => table === 'coil' || table === 'discrete';
const isTwoWords = ({ type }: Group): boolean => type === 'int32' || type === 'uint32' || type === 'float32';

const isPartOfHouse = ({ part }: Group): boolean => part !== undefined && part !== 'sensor' && part !== 'switch';

const isMotorised = (part: unknown): boolean => part === 'side_vent' || part === 'roof_vent' || part === 'shade';

const isSwitch = ({ kind }: Group): boolean => kind !== 'dimmer';
const isDimmer = ({ kind }: Group): boolean => kind === 'dimmer';
const hasState = ({ state_topic }: Group): boolean => state_topic !== undefined;

const isCommand = ({ command_path }: Group, kind: DeviceForm['kind'] | null): boolean =>
  kind === 'output' && command_path !== undefined;

/** Settings for the time until it switches off make no sense for switching off. */
const isTurnedOn = ({ state }: Group): boolean => state !== false;

type Shows = (siblings: Group, kind: DeviceForm['kind'] | null) => boolean;

/** Fields shown only beside certain others; all others are always shown. The form sets the channel number in a list. */
const shownWhen: Readonly<Record<string, Shows>> = {
  channel: (siblings) => 'output_id' in siblings || siblings['channel'] === undefined,
  type: (siblings) => !isBit(siblings),
  scale: (siblings) => !isBit(siblings),
  offset: (siblings) => !isBit(siblings),
  word_order: (siblings) => !isBit(siblings) && isTwoWords(siblings),
  pwm_min_on_s: ({ pwm_cycle_s }) => pwm_cycle_s !== undefined,
  motor_travel_s: ({ motor_close_channel }) => motor_close_channel !== undefined,
  motor_slack_s: ({ motor_close_channel }) => motor_close_channel !== undefined,
  motor_s: ({ part }, kind) => kind === 'output' && isMotorised(part),
  crop: isPartOfHouse,
  house: isPartOfHouse,
  speed: isPartOfHouse,
  lat: isPartOfHouse,
  lng: isPartOfHouse,
  weather_file: isPartOfHouse,
  readback: (_, kind) => kind === 'output',
  dead_man: (_, kind) => kind === 'output',
  values: (_, kind) => kind === 'input',
  expire_after_s: (_, kind) => kind === 'input',
  actuators: (_, kind) => kind === 'output',
  qos: (_, kind) => kind === 'output',
  timeout_s: (_, kind) => kind === 'output',
  ca: ({ tls, base_url }) => tls === true || String(base_url).startsWith('https:'),
  password: ({ username, base_url }) => username !== undefined || base_url !== undefined,
  command_path: (_, kind) => kind === 'output',
  command_method: isCommand,
  command_body: (siblings, kind) => isCommand(siblings, kind) && siblings['command_method'] !== 'GET',
  command_type: ({ command_body }) => command_body !== undefined,
  on_payload: isSwitch,
  state_on: (siblings) => isSwitch(siblings) && hasState(siblings),
  value_payload: isDimmer,
  value_max: isDimmer,
  value_path: (siblings) => isDimmer(siblings) && hasState(siblings),
  state_path: hasState,
  state_off: hasState,
  dead_man_s: (_, kind) => kind === 'output',
  raise_ml: ({ raise_output }) => raise_output !== undefined,
  lower_ml: ({ lower_output }) => lower_output !== undefined,
  color: ({ does }) => does === undefined || does === 'color',
  duration_s: isTurnedOn,
  duty_cycle_pct: isTurnedOn,
  volume_ml: isTurnedOn,
  min_off_s: isTurnedOn,
  value: isTurnedOn,
  at: ({ event }) => event === undefined || event === 'clock',
  minutes: ({ per_h }) => per_h === undefined,
  per_h: ({ minutes }) => minutes === undefined,
  setpoint: ({ method_id, setpoint_measurement }) => method_id === undefined && setpoint_measurement === undefined,
  method_id: ({ setpoint, setpoint_measurement }) => setpoint === undefined && setpoint_measurement === undefined,
  setpoint_measurement: ({ setpoint, method_id }) => setpoint === undefined && method_id === undefined,
};

/** A group with its name above its fields; not options, which fill the rest of the form. */
export const isTitled = (name: string): boolean => name !== 'options';

export function isShown(name: string, siblings: Group, kind: DeviceForm['kind'] | null): boolean {
  return shownWhen[name]?.(siblings, kind) ?? true;
}

/** Fields that depend on another: they are cleared when it changes or, with `isOff`, when it is cleared. */
const belongings: Readonly<Record<string, { names: readonly string[]; isOff: boolean }>> = {
  device_id: { names: ['measurement_id'], isOff: false },
  output_id: { names: ['channel'], isOff: false },
  raise_output: { names: ['raise_ml'], isOff: true },
  lower_output: { names: ['lower_ml'], isOff: true },
  motor_close_channel: { names: ['motor_travel_s', 'motor_slack_s', 'kind'], isOff: true },
  state: { names: ['duration_s', 'duty_cycle_pct', 'volume_ml', 'min_off_s', 'value'], isOff: true },
};

/** The group with one entry set, or cleared when undefined, and without what depended on the previous value. */
export function withEntry(group: Group, name: string, value: unknown): Group {
  const { names = [], isOff = false } = belongings[name] ?? {};
  const isGone = !isOff || value === undefined || value === false;
  const kept = Object.entries(group).filter(([key]) => key !== name && !(isGone && names.includes(key)));
  return { ...Object.fromEntries(kept), ...(value !== undefined && { [name]: value }) };
}

/** Fields required beside another, although the schema makes them optional. */
const neededWith: Readonly<Record<string, string>> = {
  raise_ml: 'raise_output',
  lower_ml: 'lower_output',
  motor_travel_s: 'motor_close_channel',
};

export function isNeeded(name: string, siblings: Group): boolean {
  const other = neededWith[name];
  return other !== undefined && siblings[other] !== undefined;
}

const readOnlyTables = ['input', 'discrete'];
const sensors = ['indoor', 'weather', 'sensor'];

/** False for a word that has no meaning for this kind of device. */
export function isOffered(name: string, word: string, kind: DeviceForm['kind'] | null): boolean {
  if (name === 'table') return kind === 'input' || !readOnlyTables.includes(word);
  if (name === 'part') return sensors.includes(word) === (kind === 'input');
  return true;
}

/** The default names of entries that statements refer to, by list. */
const calledAfter: Readonly<Record<string, string>> = { actions: 'action', conditions: 'value' };

/** A new entry of a list with the next free channel or name, if its entries have one. */
export function numbered(list: string, entry: unknown, others: readonly Group[]): unknown {
  const word = calledAfter[list];
  if (word !== undefined) return { ...groupOf(entry), name: freeName(word, others) };
  if (typeof entry !== 'object' || entry === null || !('channel' in entry)) return entry;
  const taken = others.map(({ channel }) => (typeof channel === 'number' ? channel : -1));
  return { ...entry, channel: Math.max(-1, ...taken) + 1 };
}

function freeName(word: string, others: readonly Group[]): string {
  const taken = new Set(others.map(({ name }) => name));
  const all = Array.from({ length: others.length + 1 }, (_, at) => `${word}_${at + 1}`);
  return all.find((name) => !taken.has(name)) ?? word;
}
