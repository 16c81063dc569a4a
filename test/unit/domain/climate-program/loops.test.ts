import { describe, expect, it } from 'vitest';
import { climateDefaults } from '../../../../server/contract/climate-settings.ts';
import type { ClimateReadings } from '../../../../server/domain/climate-program/moment.ts';
import { closesBelow_w_m2 } from '../../../../server/domain/climate-program/screens.ts';
import { feltOutside_c } from '../../../../server/domain/climate-program/sky.ts';
import { looking, pctOf, whyOf } from '../../../support/climate-looks.ts';
import { modelHouse, twoPeriods } from '../../../support/climate-run.ts';

describe('the loops beside ventilation', () => {
  it('humidity opens vents only where the air outside is drier, else heats', () => {
    const humid = { temp_c: 20, humidity_pct: 92 };
    const dry = looking().settle(humid);
    expect([pctOf(dry, 'roof_vent'), whyOf(dry, 'roof_vent')]).toEqual([4, 'vent_humid']);
    const wet = looking().settle({ ...humid, outdoor_c: 22, outdoor_humidity_pct: 100, temp_c: 21 });
    expect([pctOf(wet, 'roof_vent'), pctOf(wet, 'heater'), whyOf(wet, 'heater')]).toEqual([0, 8, 'dry_by_heat']);
  });

  it.each([
    { below_k: 0.9, vent_pct: 5, heat_pct: 1 },
    { below_k: 1.5, vent_pct: 2.5, heat_pct: 6 },
    { below_k: 2, vent_pct: 0, heat_pct: 10 },
    { below_k: 14, vent_pct: 0, heat_pct: 10 },
  ])('$below_k K below the heating setpoint vents dry by $vent_pct % and heat by $heat_pct %', (asked) => {
    const { below_k, ...drying } = asked;
    // The setpoints of noon: 19 C and 88 %.
    const step = looking().settle({ temp_c: 19 - below_k, humidity_pct: 93.5, outdoor_c: 0 });
    expect(step.loops.find(({ loop }) => loop === 'humidity')?.cause).toMatchObject({ code: 'humid', values: drying });
  });

  it.each([
    ['without a heater', {}, modelHouse.actuators.filter(({ role }) => role !== 'heater')],
    ['whose heating is off', { heating: { ...climateDefaults.heating, is_on: false } }, modelHouse.actuators],
  ])('humidity opens the vents of a cold house %s, and promises no heat', (_, changes, actuators) => {
    const cold = { temp_c: 12, humidity_pct: 99, outdoor_c: 5, outdoor_humidity_pct: 70 };
    const step = looking(changes, { ...modelHouse, actuators }).settle(cold);
    expect([pctOf(step, 'roof_vent'), whyOf(step, 'roof_vent')]).toEqual([5, 'vent_humid']);
    expect(step.loops.find(({ loop }) => loop === 'humidity')?.cause.values).toMatchObject({ heat_pct: 0 });
  });

  it('humidity of a house without vents is dried by heat', () => {
    const actuators = modelHouse.actuators.filter(({ role }) => !role.endsWith('_vent'));
    const step = looking({}, { ...modelHouse, actuators }).settle({ temp_c: 20, humidity_pct: 93 });
    expect([pctOf(step, 'heater'), whyOf(step, 'heater')]).toEqual([10, 'dry_by_heat']);
  });

  it('humidity that vents may not dry is dried by heat', () => {
    const humidity = { ...climateDefaults.humidity, vent_pct_per_pct: 0 };
    const step = looking({ humidity }).settle({ temp_c: 20, humidity_pct: 99 });
    expect([pctOf(step, 'roof_vent'), pctOf(step, 'heater'), whyOf(step, 'heater')]).toEqual([0, 10, 'dry_by_heat']);
  });

  it('an influence opens the vents further at least, and no further at most', () => {
    const humid = { source: 'humidity', from_x: 70, to_x: 80, from_y: 0 } as const;
    const influences = [
      { ...humid, on: 'vent_min_pct', to_y: 20 },
      { ...humid, on: 'vent_max_pct', to_y: -70 },
    ] as const;
    const { settle } = looking({ influences: [...influences] });
    expect(pctOf(settle({ temp_c: 20, humidity_pct: 70 }), 'roof_vent')).toBe(0);
    const least = settle({ temp_c: 20, humidity_pct: 80 });
    expect([pctOf(least, 'roof_vent'), whyOf(least, 'roof_vent')]).toEqual([20, 'vent_least']);
    expect(pctOf(settle({ temp_c: 35, humidity_pct: 80 }), 'roof_vent')).toBe(30);
    expect(pctOf(settle({ temp_c: 35, humidity_pct: 70 }), 'roof_vent')).toBe(100);
  });

  it('heat beside a vent that a person holds open says so, but not beside one that closes', () => {
    const { settle } = looking();
    const cold = { temp_c: 15, outdoor_c: 0 };
    const open = { stands_pct: { roof_vent: 60 }, held: new Map([['roof_vent', 'hand' as const]]) };
    const held = settle({ ...cold, ...open }).demands.find(({ key }) => key === 'heater');
    expect(held?.cause).toMatchObject({ code: 'heat_open', values: { vents_pct: 60 } });
    expect(held?.pct).toBeGreaterThan(50);
    // On its way to where the program sends it.
    expect(whyOf(settle({ ...cold, stands_pct: { roof_vent: 60 } }), 'heater')).toBe('heat_loss');
  });

  it.each([
    ['by vapour pressure deficit, kPa', { deficit_kpa: 0.35 }],
    ['by water, g/m3', { deficit_g_m3: 2.59 }],
  ])('humidity may be asked for as a deficit: %s', (_what, deficit) => {
    // At 20 C saturation is 2.34 kPa and 17.3 g/m3: both are 85 %.
    const [day, night] = twoPeriods.map(({ setpoints: { humidity_pct: _none, ...rest }, ...one }) => ({
      ...one,
      setpoints: { ...rest, ...deficit },
    }));
    const { settle } = looking({ periods: [day, night].filter((one) => one !== undefined) });
    const humid = settle({ temp_c: 20, humidity_pct: 89 });
    expect(humid.loops.find(({ loop }) => loop === 'humidity')?.target).toBeCloseTo(85, 0);
    expect(pctOf(humid, 'roof_vent')).toBeCloseTo(4, 0);
    expect(pctOf(settle({ temp_c: 20, humidity_pct: 81 }), 'roof_vent')).toBe(0);
  });

  it('heat does not dry the air of a house whose vents are open for warmth', () => {
    const { settle } = looking();
    const step = settle({ temp_c: 24, humidity_pct: 96, outdoor_c: 22, outdoor_humidity_pct: 100 });
    expect([pctOf(step, 'heater'), whyOf(step, 'heater')]).toEqual([0, 'vents_warm']);
  });

  it('heating foresees the warmth of the sun, the energy screen and a clear sky', () => {
    const screen = { key: 'screen', role: 'thermal_curtain', kind: 'dimmer', azimuth_deg: null } as const;
    const house = { ...modelHouse, actuators: [...modelHouse.actuators, screen] };
    const { loss, heating_kw, floor_m2 } = house;
    const heat = (readings: Partial<ClimateReadings>, sun_heat_share = 0.2) => {
      const heating = { ...climateDefaults.heating, sun_heat_share };
      const { look } = looking({ heating }, house);
      const stands = { stands_pct: { screen: 0 }, temp_c: 19, outdoor_c: 0, humidity_pct: 60, radiation_w_m2: 200 };
      return look({ ...stands, ...readings }).loops.find(({ loop }) => loop === 'heating')?.demand_pct ?? NaN;
    };
    const share = (watts: number) => watts / (10 * (heating_kw ?? NaN));
    const open = share((loss?.open_w_k ?? NaN) * 19);
    expect(heat({}, 0)).toBeCloseTo(open, 6);
    expect(heat({})).toBeCloseTo(open - share(0.2 * 200 * (floor_m2 ?? NaN)), 6);
    expect(heat({ stands_pct: { screen: 100 } }, 0)).toBeCloseTo(share((loss?.screened_w_k ?? NaN) * 19), 6);
    expect(heat({ sky_w_m2: -92 }, 0)).toBeCloseTo(share((loss?.open_w_k ?? NaN) * (19 + 3.6)), 6);
    expect(heat({ radiation_w_m2: 1500 })).toBe(0);
  });

  it.each([
    ['unknown', 10, null, 10],
    ['overcast, as warm as the air', 10, 364.5, 10],
    ['clear', 10, 264.5, 6.09],
    ['clear, as net', 10, -100, 6.09],
    ['clear in frost', -5, 193.2, -8.91],
  ])('a sky that is %s cools a roof as air of %d C would', (_what, outdoor_c, sky_w_m2, felt_c) => {
    expect(feltOutside_c(outdoor_c, sky_w_m2)).toBeCloseTo(felt_c, 1);
  });

  it('what rests says how warm it is, and for what', () => {
    const step = looking().settle({ temp_c: 21, outdoor_c: 20, humidity_pct: 60 });
    const { heating_c, ventilation_c } = step.setpoints;
    const said = ['heater', 'roof_vent'].map((key) => step.demands.find((one) => one.key === key)?.cause);
    expect(said).toMatchObject([
      { code: 'warm_enough', values: { measured_c: 21, target_c: heating_c.value } },
      { code: 'vent_closed', values: { measured_c: 21, target_c: ventilation_c.value } },
    ]);
  });

  it.each([
    ['by the air alone', null, 'heat_below'],
    ['by the loss of the house too', 5, 'heat_loss'],
  ])('heat says what it goes by: %s', (_what, outdoor_c, code) => {
    expect(whyOf(looking().settle({ temp_c: 16, outdoor_c, radiation_w_m2: 0 }), 'heater')).toBe(code);
  });

  it('heating and ventilation never work against each other', () => {
    const { settle, look } = looking();
    expect(pctOf(settle({ temp_c: 15 }), 'heater')).toBe(100);
    const warm = look({ temp_c: 24 });
    expect([pctOf(warm, 'heater'), whyOf(warm, 'heater')]).toEqual([0, 'vents_warm']);
  });

  it('a heater that is dimmed moves in steps after a pause, but goes off at once', () => {
    const { look, settle } = looking();
    const cold = { outdoor_c: 0, humidity_pct: 60 };
    const first = pctOf(settle({ ...cold, temp_c: 19 }), 'heater') ?? 0;
    expect(first).toBeGreaterThan(20);
    const wave = Array.from({ length: 60 }, (_, n) => pctOf(look({ ...cold, temp_c: 19 - (n % 2) * 0.4 }), 'heater'));
    expect(new Set(wave).size).toBe(1); // 0.4 K beside a band of 0.3 K asks for less than a step
    const lower = pctOf(look({ ...cold, temp_c: 18 }), 'heater') ?? 0;
    expect(lower).toBeGreaterThan(first + 5);
    expect(pctOf(look({ ...cold, temp_c: 17 }), 'heater')).toBe(lower);
    expect(pctOf(look({ ...cold, temp_c: 24 }), 'heater')).toBe(0);
  });

  it('heaters that are switched keep the mean, rest, and take turns', () => {
    const stages = {
      ...modelHouse,
      actuators: ['a', 'b'].map((key) => ({ key, role: 'heater', kind: 'switch', azimuth_deg: null }) as const),
    };
    const { look, state } = looking(
      { heating: { ...climateDefaults.heating, has_feed_forward: false, integral_min: 600 } },
      stages,
    );
    let moves = 0;
    let on_min = 0;
    let before = '';
    for (let n = 0; n < 300; n += 1) {
      const step = look({ temp_c: 17.5, humidity_pct: 60 });
      const now = step.demands.map(({ pct }) => pct).join();
      if (now !== before) moves += 1;
      before = now;
      on_min += step.demands.reduce((sum, { pct }) => sum + (pct ?? 0) / 100, 0);
    }
    const { stages: hours } = state().heating;
    const share = on_min / 600;
    expect(share).toBeGreaterThan(0.15);
    expect(share).toBeLessThan(0.45);
    expect(moves).toBeLessThan(300 / 3);
    expect(Math.abs((hours['a']?.hours ?? 0) - (hours['b']?.hours ?? 0))).toBeLessThan(1);
  });

  it('a heater that is off in the pause of its cycle says so, and when it comes on', () => {
    const heater = { key: 'heater', role: 'heater', kind: 'switch', azimuth_deg: null } as const;
    const heating = { ...climateDefaults.heating, has_feed_forward: false, integral_min: 600 };
    const { look } = looking({ heating }, { ...modelHouse, actuators: [heater] });
    const codes = new Set<string>();
    let foretold_ms: number | undefined;
    const errors_ms: number[] = [];
    let was: number | null = null;
    for (let n = 0; n < 120; n += 1) {
      const step = look({ temp_c: 17.5, humidity_pct: 60 });
      const [demand] = step.demands;
      if (demand === undefined) throw new Error('no demand');
      const { pct, cause } = demand;
      codes.add(`${pct} ${cause.code}`);
      const at_ms = step.state.at_ms ?? NaN;
      if (was === 0 && pct === 100 && foretold_ms !== undefined) errors_ms.push(Math.abs(at_ms - foretold_ms));
      if (was === 100 && pct === 0) foretold_ms = cause.values.on_at_ms;
      was = pct;
    }
    expect(codes).toEqual(new Set(['0 heat_pause', '100 heat_below']));
    expect(errors_ms.length).toBeGreaterThan(1);
    expect(Math.max(...errors_ms)).toBeLessThanOrEqual(120_000);
  });

  it('a heater that is switched goes on at once where all of it is wanted', () => {
    const heater = { key: 'heater', role: 'heater', kind: 'switch', azimuth_deg: null } as const;
    const { look } = looking({ heating: { ...climateDefaults.heating } }, { ...modelHouse, actuators: [heater] });
    expect(look({ temp_c: 5, outdoor_c: 0, humidity_pct: 60, radiation_w_m2: 0 }).demands).toMatchObject([
      { pct: 100, cause: { code: 'heat_loss' } },
    ]);
  });

  it('without a thermometer the heaters are safe and vents shut, and it says so', () => {
    const step = looking().settle({ temp_c: null, temps_c: [] });
    expect([pctOf(step, 'heater'), pctOf(step, 'roof_vent')]).toEqual([null, 0]);
    expect(['heater', 'roof_vent'].map((key) => whyOf(step, key))).toEqual(['no_thermometer', 'no_thermometer']);
    expect(step.fallbacks).toContain('no_thermometer');
  });

  it('the table of the energy screen is straight between its rows and open beyond the last', () => {
    const rows = climateDefaults.screens.energy;
    expect([-30, -20, -5, 1.5, 8, 9, 12, 15].map((outdoor_c) => closesBelow_w_m2(rows, outdoor_c))).toEqual([
      200, 200, 200, 125, 50, 27.5, 0, 0,
    ]);
  });

  it('the energy screen closes after its delay, opens in steps, and gives a gap for humidity', () => {
    const house = {
      ...modelHouse,
      actuators: [{ key: 'screen', role: 'thermal_curtain', kind: 'dimmer', azimuth_deg: null } as const],
    };
    const { look, settle } = looking({}, house);
    const cold = { outdoor_c: -5, radiation_w_m2: 0 };
    expect(pctOf(look(cold), 'screen')).toBe(0);
    expect(pctOf(settle(cold, 20), 'screen')).toBe(100);
    expect(pctOf(settle({ ...cold, humidity_pct: 92 }, 20), 'screen')).toBe(96);
    const opening = Array.from({ length: 40 }, () => pctOf(look({ ...cold, radiation_w_m2: 400 }), 'screen') ?? 0);
    const steps = opening.map((pct, index) => (opening[index - 1] ?? pct) - pct);
    expect(Math.max(...steps)).toBe(20);
    expect(opening.at(-1)).toBe(0);
  });

  it('the energy screen goes by the clear sky where a pyrgeometer reads it, and says when that is silent', () => {
    const house = {
      ...modelHouse,
      actuators: [{ key: 'screen', role: 'thermal_curtain', kind: 'dimmer', azimuth_deg: null } as const],
      sensors: new Set(['outdoor_longwave'] as const),
    };
    const dusk = { outdoor_c: 9, radiation_w_m2: 40 };
    const { settle } = looking({}, house);
    expect(pctOf(settle({ ...dusk, sky_w_m2: 350 }, 20), 'screen')).toBe(0);
    expect(pctOf(settle({ ...dusk, sky_w_m2: -110 }, 20), 'screen')).toBe(100);
    const silent = settle(dusk, 40);
    expect([pctOf(silent, 'screen'), silent.fallbacks]).toEqual([0, ['no_sky']]);
  });

  it.each([
    ['closes in the dark while the house is heated', 14, 0, 3, 100],
    ['not where it is as warm outside', 17, 0, 3, 0],
    ['not in the light', 14, 60, 3, 0],
    ['nor where nobody asks for it', 14, 0, null, 0],
  ])('the energy screen %s', (_what, outdoor_c, radiation_w_m2, dark_k, pct) => {
    const house = {
      ...modelHouse,
      actuators: [{ key: 'screen', role: 'thermal_curtain', kind: 'dimmer', azimuth_deg: null } as const],
    };
    const { settle } = looking({ screens: { ...climateDefaults.screens, dark_k } }, house);
    expect(pctOf(settle({ outdoor_c, radiation_w_m2, humidity_pct: 60 }, 30), 'screen')).toBe(pct);
  });

  it('shade follows the sun in steps, with a band, and not in a cold house', () => {
    const { settle } = looking();
    const sun = (radiation_w_m2: number, temp_c = 24) =>
      pctOf(settle({ radiation_w_m2, temp_c, outdoor_c: 20 }, 30), 'shade');
    expect([sun(650), sun(560), sun(540), sun(100), sun(900, 19)]).toEqual([70, 70, 50, 0, 0]);
  });

  it.each([
    ['co2_dose', {}, 100],
    ['co2_reached', { co2_ppm: 790 }, 0],
    ['co2_maximum', { co2_ppm: 1600 }, 0],
    ['co2_dark', { radiation_w_m2: 10 }, 0],
    ['co2_no_sensor', { co2_ppm: null }, 0],
    ['co2_vents', { stands_pct: { roof_vent: 40 } }, 0],
  ] as const)('CO2: %s', (code, readings, pct) => {
    const step = looking().look(readings);
    expect([whyOf(step, 'co2'), pctOf(step, 'co2')]).toEqual([code, pct]);
  });

  it('CO2 rises with the sun to its full target where the program says so', () => {
    const co2 = { ...climateDefaults.co2, light_full_w_m2: 450, capacity_kg_h: 3 };
    const { settle } = looking({ co2 });
    const target = (radiation_w_m2: number) =>
      settle({ radiation_w_m2 }).loops.find(({ loop }) => loop === 'co2')?.target;
    const targets = [400, 600, 800, 800].map((ppm) => expect.closeTo(ppm, 1) as number);
    expect([target(50), target(250), target(450), target(900)]).toEqual(targets);
    const before = settle({ radiation_w_m2: 500 }, 1).sums.co2_kg ?? 0;
    const dosed = settle({ radiation_w_m2: 500, co2_ppm: 500 }, 21).sums;
    expect(dosed.co2_kg).toBeCloseTo(3 * dosed.co2_h, 9);
    expect((dosed.co2_kg ?? 0) - before).toBeGreaterThan(0.9);
  });

  it('lamps stay out where the sun of the rest of the day will be enough, and burn where it will not', () => {
    const lamps = { ...climateDefaults.lamps, is_on: true, sum_mol_m2: 7 };
    const cloud = { radiation_w_m2: 80 };
    const after = (morning_w_m2: number) => {
      const { settle } = looking({ lamps });
      settle({ radiation_w_m2: morning_w_m2 }, 60); // from noon to 13:00
      return settle(cloud, 2);
    };
    const bright = after(900);
    expect([pctOf(bright, 'lighting'), whyOf(bright, 'lighting')]).toEqual([0, 'lamps_forecast']);
    expect(pctOf(after(200), 'lighting')).toBe(100);
  });

  it('lamps burn in the dark, at least for their time, and stop at the sum of the day', () => {
    const lamps = { ...climateDefaults.lamps, is_on: true, sum_mol_m2: 1 };
    const { look, settle } = looking({ lamps });
    expect([pctOf(look({ radiation_w_m2: 50 }), 'lighting'), pctOf(look({ radiation_w_m2: 400 }), 'lighting')]).toEqual(
      [100, 100],
    );
    expect(pctOf(settle({ radiation_w_m2: 400 }, 20), 'lighting')).toBe(0);
    const reached = looking({ lamps }).settle({ radiation_w_m2: 50 }, 170);
    expect([whyOf(reached, 'lighting'), pctOf(reached, 'lighting')]).toEqual(['lamps_sum', 0]);
  });

  it('fog comes in pulses and stops for open vents', () => {
    const { look } = looking({ humidity: { ...climateDefaults.humidity, fog_above_kpa: 1 } });
    const dry = { temp_c: 26, humidity_pct: 40, outdoor_c: 20 };
    const pulse = look({ ...dry, temp_c: 23 }, 10);
    expect(pctOf(pulse, 'fogger')).toBe(100);
    // A look is 30 s: the pulse ends by itself before the next one.
    expect(pulse.demands.find(({ key }) => key === 'fogger')?.once?.for_s).toBe(15);
    expect(pctOf(look({ ...dry, temp_c: 23 }, 20), 'fogger')).toBe(0);
    expect(pctOf(look({ ...dry, temp_c: 23 }, 120), 'fogger')).toBe(100);
    expect(pctOf(look({ ...dry, temp_c: 26.5 }, 300), 'fogger')).toBe(0);
  });

  it('the mean temperature corrects within its bound', () => {
    const mean_temperature = { is_on: true, target_c: 19, days: 1, most_k: 1 };
    const { settle } = looking({ mean_temperature });
    const warm = settle({ temp_c: 23 }, 24 * 60);
    expect(warm.sums.degree_hours).toBeGreaterThan(20);
    expect(warm.setpoints.heating_c.value).toBe(18);
    expect(warm.setpoints.heating_c.parts.at(-1)?.what).toBe('mean_temperature');
  });
});
