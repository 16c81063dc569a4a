import type { Device } from '../../../server/contract/device.ts';
import {
  measurementsOfRole,
  type ActuatorBinding,
  type ActuatorRole,
  type MeterBinding,
  type SensorBinding,
  type SensorRole,
} from '../../../server/contract/facility-binding.ts';
import { longestName } from '../../../server/contract/identifier.ts';
import type { MeasurementName } from '../../../server/contract/units.ts';
import type { Translate } from '../../i18n/index.ts';
import { deviceChannelName } from '../../ui/channel-name.ts';

/** Roles that every house usually has, in the order of the form. */
export const usualSensorRoles = [
  'indoor_temp',
  'indoor_humidity',
  'indoor_co2',
  'indoor_light',
  'outdoor_temp',
  'outdoor_humidity',
  'outdoor_wind',
  'outdoor_wind_dir',
  'outdoor_solar',
  'rain',
] as const satisfies readonly SensorRole[];

export const usualActuatorRoles = [
  'heater',
  'exhaust_fan',
  'side_vent',
  'roof_vent',
  'shade_curtain',
  'fogger',
  'co2_supply',
  'lighting',
  'irrigation_valve',
] as const satisfies readonly ActuatorRole[];

/** One channel of an input or output that a form offers. */
export interface ChannelOffer {
  device: Device;
  channel: Device['channels'][number];
}

export function isOutdoor(role: SensorRole): boolean {
  return role === 'rain' || role.startsWith('outdoor_');
}

/** Whether a channel measures what a role needs. */
export function fitsRole(role: SensorRole, { channel }: ChannelOffer): boolean {
  return channel.measurement_id !== undefined && measurementsOfRole[role].some((name) => name === channel.measurement);
}

/** Everything that can be bound as a sensor or actuator: a function can replace the sensors it uses. */
export function offersOf(devices: readonly Device[], kind: 'input' | 'output'): ChannelOffer[] {
  return devices
    .filter((device) => device.kind === kind || (kind === 'input' && device.kind === 'function'))
    .flatMap((device) => device.channels.map((channel) => ({ device, channel })));
}

export function sensorBindingOf(
  role: SensorRole,
  { device, channel }: ChannelOffer,
  t: Translate,
): SensorBinding | null {
  if (channel.measurement_id === undefined) return null;
  return {
    role,
    device_id: device.unique_id,
    measurement_id: channel.measurement_id,
    name: bindingName(device, channel, t),
  };
}

export function actuatorBindingOf(
  role: ActuatorRole,
  { device, channel }: ChannelOffer,
  t: Translate,
): ActuatorBinding {
  return { role, device_id: device.unique_id, channel: channel.channel, name: bindingName(device, channel, t) };
}

const metered: ReadonlySet<string> = new Set<MeasurementName>(['power', 'energy', 'volume', 'unitless']);
const waterRoles: ReadonlySet<ActuatorRole> = new Set<ActuatorRole>([
  'fogger',
  'pad_pump',
  'irrigation_pump',
  'irrigation_valve',
]);

/** Channels that can meter an actuator: power, energy, volume, or pulses without a unit. */
export function metersOf(devices: readonly Device[]): ChannelOffer[] {
  return offersOf(devices, 'input').filter(
    ({ channel }) => channel.measurement_id !== undefined && metered.has(channel.measurement ?? ''),
  );
}

/** Volume for a water role is no energy; for any other role the user must enter the energy per unit. */
export function meterBindingOf(role: ActuatorRole, { device, channel }: ChannelOffer): MeterBinding {
  const isWater = channel.measurement === 'volume' && waterRoles.has(role);
  return {
    device_id: device.unique_id,
    measurement_id: channel.measurement_id ?? '',
    ...(isWater && { kwh_per_unit: 0 }),
  };
}

/** A first name, in the language of who binds; the form offers to change it. */
function bindingName(device: Device, channel: ChannelOffer['channel'], t: Translate): string {
  return deviceChannelName(device, channel, t).slice(0, longestName);
}

const weatherOnly: ReadonlySet<string> = new Set<MeasurementName>(['wind_speed', 'wind_direction', 'rain']);
const outdoorName = /weather|outdoor|outside|meteo|기상|외부|실외|気象|屋外|外気/i;
const soilName = /soil|root|substrate|토양|배지|근권|土壌|培地/i;
const skyName = /pyrgeo|long.?wave|장파|복사수지|長波|放射収支/i;
const leafName = /leaf|wetness|엽|葉/i;

/** A device that measures wind or rain is outdoors, and so is one named that way. */
function standsOutdoors(device: Device): boolean {
  return outdoorName.test(device.name) || device.channels.some(({ measurement = '' }) => weatherOnly.has(measurement));
}

function isLikelySensor(role: SensorRole, offer: ChannelOffer): boolean {
  const name = `${offer.device.name} ${offer.channel.name}`;
  if (role === 'leaf_wetness') return leafName.test(name);
  if (role === 'outdoor_longwave' || skyName.test(name)) return role === 'outdoor_longwave' && skyName.test(name);
  if (role === 'soil_temp' || role === 'soil_moisture') return soilName.test(name);
  if (soilName.test(name) || offer.channel.measurement === 'unitless') return false;
  return isOutdoor(role) === standsOutdoors(offer.device);
}

/** Usual names of outputs by role, more specific roles first. */
const actuatorNames: readonly (readonly [ActuatorRole, RegExp])[] = [
  ['side_vent', /side.?(vent|window)|측창|側窓/i],
  ['roof_vent', /(roof|ridge|top).?(vent|window)|천창|天窓/i],
  ['circulation_fan', /circulation|순환|循環/i],
  ['intake_fan', /intake|흡기|吸気/i],
  ['exhaust_fan', /fan|환풍|배기|換気|排気/i],
  ['heat_pump', /heat.?pump|히트펌프|ヒートポンプ/i],
  ['heater', /heat|boiler|난방|온풍|보일러|暖房/i],
  ['shade_curtain', /shad|차광|遮光/i],
  ['thermal_curtain', /curtain|screen|보온|커튼|保温|カーテン/i],
  ['fogger', /fog|mist|포그|안개|미스트|ミスト|細霧/i],
  ['pad_pump', /pad|패드|パッド/i],
  ['cooler', /cool|냉방|冷房/i],
  ['co2_supply', /co2|co₂|탄산|炭酸/i],
  ['lighting', /light|lamp|조명|보광|照明|補光/i],
  ['mixing_valve', /mix|믹싱|혼합|三方|三方弁/i],
  ['irrigation_valve', /valve|밸브|バルブ|弁/i],
  ['irrigation_pump', /irrigat|pump|관수|양액|펌프|潅水|灌水|ポンプ/i],
];

/** The role that an output's name suggests; null when it suggests none. */
export function likelyActuatorRole({ device, channel }: ChannelOffer): ActuatorRole | null {
  for (const name of [channel.name, device.name]) {
    const found = actuatorNames.find(([, pattern]) => pattern.test(name));
    if (found !== undefined) return found[0];
  }
  return null;
}

export interface Suggestion {
  sensors: SensorBinding[];
  actuators: ActuatorBinding[];
}

interface Suggesting {
  /** Devices of other houses, of which only outdoor ones are shared. */
  taken: ReadonlySet<string>;
  t: Translate;
}

/** Bindings for open roles: sensors by quantity and place, actuators by name. Existing bindings stay. */
export function suggestBindings(devices: readonly Device[], bound: Suggestion, { taken, t }: Suggesting): Suggestion {
  const inputs = offersOf(devices, 'input').filter(
    ({ device }) => device.kind === 'input' && (standsOutdoors(device) || !taken.has(device.unique_id)),
  );
  const outputs = offersOf(devices, 'output').filter(({ device }) => !taken.has(device.unique_id));
  return {
    sensors: suggestSensors(inputs, bound.sensors, t),
    actuators: suggestActuators(outputs, bound.actuators, t),
  };
}

function suggestSensors(
  offers: readonly ChannelOffer[],
  bound: readonly SensorBinding[],
  t: Translate,
): SensorBinding[] {
  const used = new Set(bound.map((binding) => binding.measurement_id));
  const roles = [
    ...usualSensorRoles,
    'soil_temp',
    'soil_moisture',
    'leaf_wetness',
    'water_flow',
    'water_pressure',
    'drain_flow',
    'pipe_temp',
    'outdoor_longwave',
  ] as const;
  const found = roles.flatMap((role): SensorBinding[] => {
    if (bound.some((binding) => binding.role === role)) return [];
    const offer = offers.find(
      (one) => fitsRole(role, one) && isLikelySensor(role, one) && !used.has(one.channel.measurement_id ?? ''),
    );
    const binding = offer === undefined ? null : sensorBindingOf(role, offer, t);
    if (binding === null) return [];
    used.add(binding.measurement_id);
    return [binding];
  });
  return [...bound, ...found];
}

function suggestActuators(
  offers: readonly ChannelOffer[],
  bound: readonly ActuatorBinding[],
  t: Translate,
): ActuatorBinding[] {
  const roles = new Set<ActuatorRole>(bound.map((binding) => binding.role));
  const used = new Set(bound.map((binding) => `${binding.device_id}:${binding.channel ?? 0}`));
  const found = offers.flatMap((offer): ActuatorBinding[] => {
    const role = likelyActuatorRole(offer);
    if (role === null || roles.has(role) || used.has(`${offer.device.unique_id}:${offer.channel.channel}`)) return [];
    roles.add(role);
    return [actuatorBindingOf(role, offer, t)];
  });
  return [...bound, ...found];
}
