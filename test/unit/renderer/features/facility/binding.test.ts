import { describe, expect, it } from 'vitest';
import {
  fitsRole,
  likelyActuatorRole,
  meterBindingOf,
  metersOf,
  offersOf,
  suggestBindings,
} from '../../../../../renderer/features/facility/binding.ts';
import { simulatedMeasurements } from '../../../../../server/contract/drivers/simulated.ts';
import type { Device } from '../../../../../server/contract/device.ts';

let made = 0;
const nextId = (): string => `00000000-0000-4000-8000-${String((made += 1)).padStart(12, '0')}`;

function input(name: string, measurements: readonly string[]): Device {
  return {
    unique_id: nextId(),
    kind: 'input',
    name,
    driver: 'simulated',
    channels: measurements.map((measurement, channel) => ({
      channel,
      name: measurement,
      measurement,
      measurement_id: nextId(),
      unit: '',
    })),
    is_activated: true,
    locations: [],
  };
}

function output(name: string, channel = 'Channel 0'): Device {
  return {
    unique_id: nextId(),
    kind: 'output',
    name,
    driver: 'modbus',
    channels: [{ channel: 0, name: channel }],
    is_activated: true,
    locations: [],
  };
}

const indoor = input('Greenhouse indoor climate', simulatedMeasurements.indoor ?? []);
const weather = input('Greenhouse weather', simulatedMeasurements.weather ?? []);
const outputs = [
  'heater',
  'fan',
  'side vent',
  'roof vent',
  'CO2 supply',
  'lighting',
  'shade curtain',
  'fogger',
  'irrigation valve',
].map((title) => output(`Greenhouse ${title}`));
const simulated = [indoor, weather, ...outputs];
const nothing = { sensors: [], actuators: [] };
/** Says the key. */
const t = (key: string): string => key;
/** No other house. */
const free = { taken: new Set<string>(), t };

describe('suggestBindings', () => {
  it('fills a simulated greenhouse in one go, indoor roles from the indoor device', () => {
    const { sensors, actuators } = suggestBindings(simulated, nothing, free);
    expect(sensors.map(({ role, device_id }) => [role, device_id])).toEqual([
      ['indoor_temp', indoor.unique_id],
      ['indoor_humidity', indoor.unique_id],
      ['indoor_co2', indoor.unique_id],
      ['indoor_light', indoor.unique_id],
      ['outdoor_temp', weather.unique_id],
      ['outdoor_humidity', weather.unique_id],
      ['outdoor_wind', weather.unique_id],
      ['outdoor_wind_dir', weather.unique_id],
      ['outdoor_solar', weather.unique_id],
      ['rain', weather.unique_id],
    ]);
    expect(actuators.map(({ role }) => role)).toEqual([
      'heater',
      'exhaust_fan',
      'side_vent',
      'roof_vent',
      'co2_supply',
      'lighting',
      'shade_curtain',
      'fogger',
      'irrigation_valve',
    ]);
  });

  it('takes a pyrgeometer for the sky and not for the sun, whichever comes first', () => {
    const sky = input('Weather station pyrgeometer', ['radiation', 'wind_speed']);
    const sun = input('Weather station sun', ['radiation', 'rain']);
    const { sensors } = suggestBindings([sky, sun], nothing, free);
    const deviceOf = (wanted: string) => sensors.find(({ role }) => role === wanted)?.device_id;
    expect([deviceOf('outdoor_solar'), deviceOf('outdoor_longwave')]).toEqual([sun.unique_id, sky.unique_id]);
  });

  it('names a sensor by its device and its channel, which is said in the language of the page', () => {
    const probe = { ...input('North', ['temperature', 'humidity']), channels: [] as Device['channels'] };
    probe.channels = input('', ['temperature', 'humidity']).channels.map((one) => ({ ...one, name: 'Temperature' }));
    const { sensors } = suggestBindings([probe], nothing, free);
    expect(sensors[0]?.name).toBe('North · devices.choices.measurement.temperature');
  });

  it('keeps what is bound and uses nothing twice', () => {
    const first = suggestBindings(simulated, nothing, free);
    expect(suggestBindings(simulated, first, free)).toEqual(first);
    const measurements = first.sensors.map(({ measurement_id }) => measurement_id);
    expect(new Set(measurements).size).toBe(measurements.length);
  });

  it('leaves the devices of other houses alone, but shares the weather', () => {
    const taken = new Set(simulated.map((device) => device.unique_id));
    const { sensors, actuators } = suggestBindings(simulated, nothing, { taken, t });
    expect(new Set(sensors.map(({ device_id }) => device_id))).toEqual(new Set([weather.unique_id]));
    expect(actuators).toEqual([]);
  });

  it('never binds a bare number, and a soil probe only below ground', () => {
    const probe = input('Soil probe', ['temperature', 'moisture']);
    const bare = input('Modbus', ['unitless']);
    expect(suggestBindings([bare, probe], nothing, free).sensors.map(({ role }) => role)).toEqual([
      'soil_temp',
      'soil_moisture',
    ]);
  });
});

describe('fitsRole', () => {
  it('offers a channel only to roles that need what it measures', () => {
    const [temperature, humidity] = offersOf([indoor], 'input');
    if (temperature === undefined || humidity === undefined) throw new Error('two channels expected');
    expect(fitsRole('indoor_temp', temperature)).toBe(true);
    expect(fitsRole('outdoor_temp', temperature)).toBe(true);
    expect(fitsRole('indoor_humidity', temperature)).toBe(false);
    expect(fitsRole('indoor_humidity', humidity)).toBe(true);
  });
});

describe('likelyActuatorRole', () => {
  it.each([
    ['북측 측창', 'side_vent'],
    ['온풍기 난방', 'heater'],
    ['天窓モーター', 'roof_vent'],
    ['遮光カーテン', 'shade_curtain'],
    ['Circulation fan 2', 'circulation_fan'],
    ['Heat pump', 'heat_pump'],
    ['Relay 4', null],
  ])('reads %s as %s', (name, role) => {
    const [offer] = offersOf([output(name)], 'output');
    expect(offer && likelyActuatorRole(offer)).toBe(role);
  });
});

describe('meters', () => {
  const meters = input('Meters', ['temperature', 'energy', 'volume', 'unitless', 'power']);

  it('are inputs that count energy, volume or pulses, or measure power', () => {
    const found = metersOf([meters, indoor, ...outputs]).map(({ channel }) => channel.measurement);
    expect(found).toEqual(['energy', 'volume', 'unitless', 'power']);
  });

  it('count no energy where they count the water of a valve', () => {
    const [energy, volume] = metersOf([meters]);
    if (energy === undefined || volume === undefined) throw new Error('there are meters');
    expect(meterBindingOf('irrigation_valve', volume).kwh_per_unit).toBe(0);
    expect(meterBindingOf('heater', volume).kwh_per_unit).toBeUndefined();
    expect(meterBindingOf('heater', energy)).toEqual({
      device_id: meters.unique_id,
      measurement_id: energy.channel.measurement_id,
    });
  });
});
