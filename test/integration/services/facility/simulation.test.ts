import { describe, expect, it } from 'vitest';
import type { FacilitySave } from '../../../../server/contract/facility.ts';
import { envelope, grower, testDevices, type TestDevices } from '../../../support/devices.ts';
import { refusalOf } from '../../../support/refusal.ts';

const openings: FacilitySave['openings'] = [
  { id: 'left', name: 'Left', face: 'left', area_m2: 20, centre_height_m: 1.2 },
  { id: 'roof', name: 'Roof', face: 'roof_left', area_m2: 15, centre_height_m: 4 },
];
const curtains: FacilitySave['curtains'] = [{ kind: 'thermal', position: 'ceiling', layers: 1 }];

function drawn(save: FacilitySave = {}) {
  const all = testDevices();
  const house = all.house({ openings, curtains, ...save });
  return { ...all, makeHouse: all.house, house };
}

type Stores = Pick<TestDevices, 'facilities' | 'inputs' | 'outputs' | 'lcds'>;

/** What is stored of houses and devices, but for when it was. */
function everything({ facilities, inputs, outputs, lcds }: Stores): object {
  const houses = facilities.list({}).map(({ revision: _revision, updated_at: _at, ...rest }) => rest);
  return { houses, inputs: inputs.list(), outputs: outputs.list(), lcds: lcds.list() };
}

describe('a drawn house that is simulated', () => {
  it('has devices of its own model, bound by their roles in the sizes of the house', async () => {
    const { simulations, facilities, inputs, outputs, house, daemon } = drawn();
    const made = await simulations.create(grower, house.unique_id, { crop: 'full', speed: 60 });
    expect(made).toMatchObject({ is_simulated: true, crop: 'full', speed: 60, others: [] });
    const { sensors, actuators, ...bound } = facilities.get(house.unique_id);
    expect(sensors.map(({ role }) => role)).toEqual([
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
    ]);
    expect(actuators.map(({ role, rating_kw, opening_area_m2 }) => [role, rating_kw ?? opening_area_m2])).toEqual([
      ['heater', expect.any(Number)],
      ['exhaust_fan', undefined],
      ['side_vent', 20],
      ['roof_vent', 15],
      ['co2_supply', undefined],
      ['thermal_curtain', undefined],
      ['irrigation_valve', undefined],
    ]);
    const idOf = (role: string) => actuators.find((one) => one.role === role)?.device_id;
    expect(bound.openings.map((one) => one.actuator_device_id)).toEqual([idOf('side_vent'), idOf('roof_vent')]);
    expect(bound.curtains.map((one) => one.actuator_device_id)).toEqual([idOf('thermal_curtain')]);
    for (const { name, options } of [...inputs.list(), ...outputs.list()]) {
      expect(options).toMatchObject({ house: house.unique_id, facility: house.unique_id, crop: 'full', speed: 60 });
      expect(options).toMatchObject({
        lat: expect.closeTo(37.0001, 4) as number,
        lng: expect.closeTo(127.0005, 4) as number,
      });
      expect(name).toMatch(/^House /);
    }
    expect(daemon.told).toHaveLength(9);
  });

  it('is equipped as it was asked for, with names in the language of who asked', async () => {
    const { simulations, outputs, house } = drawn();
    const part_names = { heater: '난방기', side_vent: '측창' };
    await simulations.create(grower, house.unique_id, { parts: ['heater', 'side_vent'], part_names });
    expect(outputs.list().map(({ name }) => name)).toEqual(['House 난방기', 'House 측창']);
  });

  it('names devices and bindings in the language of the site', async () => {
    const { simulations, facilities, site, house } = drawn();
    site.language = 'ko';
    await simulations.create(grower, house.unique_id, { parts: ['heater'] });
    const { sensors, actuators } = facilities.get(house.unique_id);
    expect([sensors[0]?.name, actuators[0]?.name]).toEqual(['House 실내 환경 · 온도', 'House 난방기']);
  });

  it('can stand beside another one', async () => {
    const { simulations, facilities, house, makeHouse } = drawn();
    const other = makeHouse({ name: 'Other', envelope: { ...envelope, length_m: 150 } });
    await simulations.create(grower, house.unique_id, {});
    await simulations.create(grower, other.unique_id, {});
    const heaterOf = (id: string) => facilities.get(id).actuators.find(({ role }) => role === 'heater');
    expect(heaterOf(other.unique_id)?.rating_kw).toBeGreaterThan(2 * (heaterOf(house.unique_id)?.rating_kw ?? 0));
    expect(heaterOf(other.unique_id)?.device_id).not.toBe(heaterOf(house.unique_id)?.device_id);
    await simulations.remove(grower, other.unique_id);
    expect(simulations.get(house.unique_id).is_simulated).toBe(true);
  });

  it('goes without a trace', async () => {
    const all = drawn();
    const before = everything(all);
    await all.simulations.create(grower, all.house.unique_id, {});
    expect(everything(all)).not.toEqual(before);
    const after = await all.simulations.remove(grower, all.house.unique_id);
    expect(after).toMatchObject({ is_simulated: false, sensors: [] });
    expect(everything(all)).toEqual(before);
    expect(all.audited.map(({ kind }) => kind).filter((kind) => kind.startsWith('simulation'))).toEqual([
      'simulation.create',
      'simulation.delete',
    ]);
  });

  it('stays whole where something else needs one of its devices', async () => {
    const all = drawn();
    const { simulations, storedSettings, outputs, house } = all;
    await simulations.create(grower, house.unique_id, {});
    const [heater] = outputs.list();
    await storedSettings.get('trigger')?.create(grower, {
      name: 'Morning',
      kind: 'time_point',
      at: '06:00',
      actions: [{ unique_id: grower.user_id, name: 'heat', kind: 'output', output_id: heater?.unique_id, state: true }],
    });
    const before = everything(all);
    const refused = await refusalOf(() => simulations.remove(grower, house.unique_id));
    expect(refused).toMatchObject({ code: 'in_use' });
    expect(everything(all)).toEqual(before);
  });

  it('takes another crop, pace and year of weather', async () => {
    const { simulations, inputs, outputs, house } = drawn();
    await simulations.create(grower, house.unique_id, { weather_file: 'year.csv' });
    const changed = await simulations.change(grower, house.unique_id, { crop: 'none', speed: 10 });
    expect(changed).toMatchObject({ crop: 'none', speed: 10, weather_file: 'year.csv' });
    await simulations.change(grower, house.unique_id, { weather_file: null });
    for (const { options } of [...inputs.list(), ...outputs.list()]) {
      expect(options).toMatchObject({ crop: 'none', speed: 10 });
      expect(options).not.toHaveProperty('weather_file');
    }
  });

  it('has no real devices beside it, and is simulated once', async () => {
    const all = drawn();
    const { simulations, facilities, house } = all;
    const real = await all.switch();
    facilities.save(grower, {
      unique_id: house.unique_id,
      actuators: [{ role: 'heater', device_id: real.unique_id, name: 'Boiler' }],
    });
    const before = everything(all);
    expect(await refusalOf(() => simulations.create(grower, house.unique_id, {}))).toMatchObject({
      code: 'conflict',
      members: { devices: [{ unique_id: real.unique_id, name: 'Switch' }] },
    });
    expect(everything(all)).toEqual(before);
    facilities.save(grower, { unique_id: house.unique_id, actuators: [] });
    await simulations.create(grower, house.unique_id, {});
    expect(await refusalOf(() => simulations.create(grower, house.unique_id, {}))).toMatchObject({
      code: 'already_exists',
    });
  });

  it('is refused where it is not there', async () => {
    const { simulations, house } = drawn();
    for (const act of [
      () => simulations.change(grower, house.unique_id, {}),
      () => simulations.remove(grower, house.unique_id),
      () => simulations.create(grower, grower.user_id ?? '', {}),
    ])
      expect(await refusalOf(act)).toMatchObject({ code: 'not_found' });
  });
});
