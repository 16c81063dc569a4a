import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { climateDefaults, type ClimatePeriod } from '../../../../server/contract/climate-settings.ts';
import { crossingOf, dayPlan } from '../../../../server/domain/climate-program/day-plan.ts';
import { climatePreviewOf } from '../../../../server/domain/climate-program/preview.ts';
import { closesBelow_w_m2 } from '../../../../server/domain/climate-program/screens.ts';
import type { ClimateCause } from '../../../../server/contract/climate-reason.ts';
import { climateReason } from '../../../../server/contract/reason.ts';
import { explained } from '../../../../server/domain/control/reason-text.ts';
import { readWeatherCsv } from '../../../../server/domain/climate/weather-file.ts';
import type { WeatherYear } from '../../../../server/domain/climate/weather-year.ts';
import { looking, noon, pctOf, whyOf } from '../../../support/climate-looks.ts';
import { chicago, modelHouse, programOf, runClimate, twoPeriods, type Looked } from '../../../support/climate-run.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
const minuteMs = 60_000;

const wordsOf = (cause: ClimateCause): string => explained(climateReason(cause)).because;

describe('periods and setpoints', () => {
  it('ramp by K an hour from sunrise, and name the period', () => {
    const plan = dayPlan(twoPeriods, chicago);
    // 20 March, Chicago: the sun rises at 05:54 by the standard time of the site.
    const at = (time: string) => Date.parse(`2026-03-20T${time}-06:00`);
    expect(plan.periodAt(at('05:40')).name).toBe('Night');
    expect(plan.periodAt(at('06:10')).name).toBe('Day');
    expect(plan.curves.heating_c(at('05:40'))).toBeCloseTo(16, 5);
    expect(plan.curves.heating_c(at('06:54'))).toBeCloseTo(17.5, 0);
    expect(plan.curves.heating_c(at('08:30'))).toBeCloseTo(19, 5);
    expect(plan.curves.co2_ppm(at('12:00'))).toBe(800);
    expect(plan.curves.co2_ppm(at('23:00'))).toBeNull();
    expect([plan.isDay(at('12:00')), plan.isDay(at('23:00'))]).toEqual([true, false]);
  });

  it('that would cross on a day are named with that day', () => {
    const period = (at: ClimatePeriod['start']): ClimatePeriod => ({
      ...{ name: 'x', start: at, setpoints: { heating_c: 18, ventilation_c: 22 } },
    });
    const early = [period({ event: 'clock', at: '06:30' }), period({ event: 'sunrise' })];
    expect(crossingOf(early, 2026, chicago)).toMatch(/^2026-0[2-3]-/);
    expect(crossingOf(twoPeriods, 2026, chicago)).toBeUndefined();
  });

  it('add up with each share, and ventilation stays above heating', () => {
    const { look } = looking({
      influences: [
        { on: 'heating_c', source: 'radiation', from_x: 100, to_x: 500, from_y: 0, to_y: 2 },
        { on: 'ventilation_c', source: 'humidity', from_x: 70, to_x: 90, from_y: 0, to_y: -8 },
      ],
    });
    const { setpoints } = look({ radiation_w_m2: 300, humidity_pct: 90 });
    expect(setpoints.heating_c).toEqual({
      value: 20,
      parts: [
        { what: 'period', source: null, value: 19 },
        { what: 'influence', source: 'radiation', value: 1 },
      ],
    });
    expect(setpoints.ventilation_c.value).toBe(20);
    expect(setpoints.ventilation_c.parts.at(-1)).toEqual({ what: 'bound', source: null, value: 5 });
  });

  it('an influence whose source is silent keeps its shift, and one with a slew moves slowly', () => {
    const influence = { on: 'heating_c', source: 'radiation', from_x: 0, to_x: 100, from_y: 0, to_y: 4 } as const;
    const { look } = looking({ influences: [{ ...influence, slew_per_h: 6 }] });
    look({ radiation_w_m2: 0 });
    expect(look({ radiation_w_m2: 100 }).setpoints.heating_c.value).toBeCloseTo(19.1, 9);
    expect(look({ radiation_w_m2: null }).setpoints.heating_c.value).toBeCloseTo(19.1, 9);
  });

  it('are held at what a person says until that ends, and shown as a share of its own', () => {
    const until = new Date(noon + 150_000).toISOString();
    const { look } = looking({ overrides: [{ on: 'heating_c', value: 25, until }] });
    const held = look({});
    expect(held.setpoints.heating_c).toEqual({
      value: 25,
      parts: [
        { what: 'period', source: null, value: 19 },
        { what: 'override', source: null, value: 6 },
      ],
    });
    expect(held.setpoints.ventilation_c.value).toBe(25); // never below heating
    expect([look({}).setpoints.heating_c.value, look({}).setpoints.heating_c.value]).toEqual([25, 19]);
  });

  it('are foreseen: by the sun of a typical day, else as they are shifted now, and what has passed by the periods', () => {
    const program = programOf({
      influences: [
        { on: 'heating_c', source: 'radiation', from_x: 0, to_x: 100, from_y: 0, to_y: 2 },
        { on: 'heating_c', source: 'humidity', from_x: 0, to_x: 100, from_y: 0, to_y: 2 },
      ],
    });
    const fromMs = Date.parse('2026-03-20T00:00-06:00');
    const live = { heating_c: { parts: [{ what: 'influence' as const, source: 'humidity' as const, value: 0.5 }] } };
    const now_ms = fromMs + 2 * 3_600_000;
    const found = climatePreviewOf({ program, place: chicago, from_ms: fromMs, hours: 24, now_ms, live });
    expect(found.times).toHaveLength(289);
    const at = (hour: number) => hour * 12;
    expect(found.setpoints.heating_c.shift[at(1)]).toBe(0);
    expect(found.setpoints.heating_c.shift[at(3)]).toBeCloseTo(0.5, 9);
    expect(found.setpoints.heating_c.values[at(12)]).toBeCloseTo(21.5, 9);
    expect(found.setpoints.heating_c.shift[at(12)]).toBeCloseTo(2.5, 9);
    expect(found.setpoints.co2_ppm.values[at(1)]).toBeNull();
    expect([found.periods[at(1)], found.periods[at(12)]]).toEqual(['Night', 'Day']);
    expect(found.sun.sunrises).toHaveLength(1);
  });

  it.each([
    ['both shift', [0.5, 1.5], 2],
    ['one shifts nothing and is no part', [1.5], 1.5],
  ])('are foreseen with each of two influences by one source once: %s', (_what, shares, sum) => {
    const influence = { on: 'heating_c', source: 'humidity', from_x: 0, to_x: 100, from_y: 0, to_y: 2 } as const;
    const program = programOf({ influences: [influence, { ...influence, from_x: 60 }] });
    const parts = shares.map((value) => ({ what: 'influence' as const, source: 'humidity' as const, value }));
    const from_ms = Date.parse('2026-03-20T00:00-06:00');
    const live = { heating_c: { parts } };
    const found = climatePreviewOf({ program, place: chicago, from_ms, hours: 3, now_ms: from_ms, live });
    expect(found.setpoints.heating_c.shift.at(-1)).toBeCloseTo(sum, 9);
  });

  it('are foreseen by the light of the day so far, wherever a preview begins', () => {
    const influence = { on: 'heating_c', source: 'light_sum', from_x: 0, to_x: 50, from_y: 0, to_y: 5 } as const;
    const program = programOf({ influences: [influence] });
    const midnight = Date.parse('2026-03-20T00:00-06:00');
    const shiftAt = (hour: number, from_h: number) => {
      const [from_ms, now_ms] = [midnight + from_h * 3_600_000, midnight];
      const found = climatePreviewOf({ program, place: chicago, from_ms, hours: 24, now_ms, live: {} });
      return found.setpoints.heating_c.shift[(hour - from_h) * 12];
    };
    expect(shiftAt(15, 0)).toBeGreaterThan(0.5);
    expect(shiftAt(15, 14)).toBeCloseTo(Number(shiftAt(15, 0)), 9);
  });
});

describe('ventilation', () => {
  it('opens by the excess over a band that is wide in the cold, and says so', () => {
    const step = looking().look({ temp_c: 24.4, outdoor_c: 3 });
    // Band 4 + 8 * 17/20 = 10.8 K, by 3 % a m/s of wind: 11.4 K.
    expect(pctOf(step, 'roof_vent')).toBeCloseTo(12.23, 1);
    expect(wordsOf(step.demands.find(({ key }) => key === 'roof_vent')?.cause ?? { code: 'storm', values: {} })).toBe(
      'Vents 12.23 %: 1.4 K above 23 C, band 11.45 K',
    );
  });

  it('opens the lee side first, the wind side after its offset', () => {
    const step = looking().look({ temp_c: 25, outdoor_c: 20, wind_dir_deg: 90, wind_m_s: 4 });
    expect(pctOf(step, 'roof_vent')).toBeCloseTo(44.6, 1);
    expect(pctOf(step, 'side_vent')).toBeCloseTo(22.3, 1);
  });

  it('moves in steps and after a pause, and goes on from there after a restart', () => {
    const { look } = looking();
    const first = pctOf(look({ temp_c: 24, outdoor_c: 20 }), 'roof_vent');
    expect(pctOf(look({ temp_c: 25.5, outdoor_c: 20 }), 'roof_vent')).toBe(first);
    expect(pctOf(look({ temp_c: 25.5, outdoor_c: 20 }, 300), 'roof_vent')).toBeGreaterThan((first ?? 0) + 5);
  });

  it('does not hunt between sides in a wind that turns', () => {
    const { look, state } = looking();
    look({ wind_dir_deg: 80, wind_m_s: 5 });
    const before = state().side;
    for (let n = 0; n < 15; n += 1) look({ wind_dir_deg: n % 2 === 0 ? 80 : 280, wind_m_s: 5 });
    expect(state().side).toEqual(before);
  });

  it('shuts at once in a storm, says why, and opens only when it was calm for a while', () => {
    const { look, settle } = looking();
    expect(pctOf(settle({ temp_c: 27, outdoor_c: 20 }), 'roof_vent')).toBeGreaterThan(50);
    const storm = look({ temp_c: 27, outdoor_c: 20, wind_m_s: 18 });
    expect([pctOf(storm, 'roof_vent'), whyOf(storm, 'roof_vent')]).toEqual([0, 'storm']);
    expect(storm.loops.find(({ loop }) => loop === 'ventilation')?.limits).toEqual(['storm']);
    expect(pctOf(look({ temp_c: 27, outdoor_c: 20, wind_m_s: 5 }, 240), 'roof_vent')).toBe(0);
    expect(pctOf(look({ temp_c: 27, outdoor_c: 20, wind_m_s: 5 }, 400), 'roof_vent')).toBeGreaterThan(50);
  });

  it('takes a wind that nobody knows for a storm', () => {
    const { look, settle } = looking();
    settle({ temp_c: 27, outdoor_c: 20 });
    const lost = look({ temp_c: 27, outdoor_c: 20, wind_m_s: null });
    expect([pctOf(lost, 'roof_vent'), whyOf(lost, 'roof_vent')]).toEqual([0, 'station_lost']);
    expect(lost.fallbacks).toEqual(['station_lost']);
  });

  it.each([
    ['rain', { rain: 1 }, 10],
    ['frost', { outdoor_c: -2 }, 20],
  ] as const)('opens no further than its limit in %s', (code, readings, most_pct) => {
    const step = looking().settle({ temp_c: 40, outdoor_c: 20, ...readings });
    expect(pctOf(step, 'roof_vent')).toBe(most_pct);
    expect(whyOf(step, 'roof_vent')).toBe(code);
  });
});

describe('the other loops', () => {
  it('humidity opens vents only where the air outside is drier, else heats', () => {
    const humid = { temp_c: 20, humidity_pct: 92 };
    const dry = looking().settle(humid);
    expect([pctOf(dry, 'roof_vent'), whyOf(dry, 'roof_vent')]).toEqual([4, 'vent_humid']);
    const wet = looking().settle({ ...humid, outdoor_c: 22, outdoor_humidity_pct: 100, temp_c: 21 });
    expect([pctOf(wet, 'roof_vent'), pctOf(wet, 'heater'), whyOf(wet, 'heater')]).toEqual([0, 8, 'dry_by_heat']);
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
    const wave = Array.from({ length: 60 }, (_, n) => pctOf(look({ ...cold, temp_c: 19 + (n % 2) * 0.3 }), 'heater'));
    expect(new Set(wave).size).toBe(1); // 0.3 K beside a band of 0.2 K asks for less than a step
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

  it('without a thermometer the heaters are safe and vents shut', () => {
    const step = looking().settle({ temp_c: null, temps_c: [] });
    expect([pctOf(step, 'heater'), pctOf(step, 'roof_vent')]).toEqual([null, 0]);
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
    expect(pctOf(look({ ...dry, temp_c: 23 }, 10), 'fogger')).toBe(100);
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

describe('over random weather', () => {
  const reading = fc.record({
    temp_c: fc.option(fc.double({ min: -5, max: 45, noNaN: true }), { freq: 20 }),
    humidity_pct: fc.option(fc.double({ min: 5, max: 100, noNaN: true }), { freq: 20 }),
    co2_ppm: fc.option(fc.double({ min: 300, max: 3000, noNaN: true }), { freq: 20 }),
    outdoor_c: fc.option(fc.double({ min: -35, max: 45, noNaN: true }), { freq: 20 }),
    wind_m_s: fc.option(fc.double({ min: 0, max: 40, noNaN: true }), { freq: 20 }),
    wind_dir_deg: fc.option(fc.double({ min: 0, max: 360, noNaN: true }), { freq: 20 }),
    radiation_w_m2: fc.option(fc.double({ min: 0, max: 1100, noNaN: true }), { freq: 20 }),
    rain: fc.option(fc.constantFrom(0, 0, 0, 2), { freq: 20 }),
  });
  const program = fc.record({
    heating_c: fc.integer({ min: 8, max: 22 }),
    above_k: fc.integer({ min: 0, max: 8 }),
    vent_max_pct: fc.integer({ min: 20, max: 100 }),
    storm_m_s: fc.integer({ min: 5, max: 20 }),
    vent_limit_pct: fc.integer({ min: 0, max: 40 }),
  });

  it('limits win, demands are bounded, and each has its cause', () => {
    fc.assert(
      fc.property(program, fc.array(reading, { minLength: 5, maxLength: 60 }), (asked, weather) => {
        const setpoints = {
          heating_c: asked.heating_c,
          ventilation_c: asked.heating_c + asked.above_k,
          co2_ppm: 900,
          vent_max_pct: asked.vent_max_pct,
        };
        const { look } = looking({
          periods: [{ name: 'x', start: { event: 'clock', at: '00:00' }, setpoints }],
          co2: { ...climateDefaults.co2, vent_most_pct: asked.vent_limit_pct },
          limits: { ...climateDefaults.limits, storm_m_s: asked.storm_m_s },
        });
        for (const readings of weather) {
          const step = look(readings);
          const vents = ['roof_vent', 'side_vent'].map((key) => pctOf(step, key) ?? 0);
          const isStorm = readings.wind_m_s === null || readings.wind_m_s > asked.storm_m_s;
          if (isStorm) expect(vents).toEqual([0, 0]);
          for (const vent of vents) expect(vent).toBeLessThanOrEqual(asked.vent_max_pct);
          if (Math.max(...vents) > asked.vent_limit_pct || (readings.co2_ppm ?? Infinity) >= 1500)
            expect(pctOf(step, 'co2')).toBe(0);
          for (const { pct, cause } of step.demands) {
            expect(pct === null || (pct >= 0 && pct <= 100)).toBe(true);
            expect(wordsOf(cause)).not.toContain('–');
          }
        }
      }),
      { numRuns: isLong ? 1_000 : 60 },
    );
  });
});

describe('over a year of weather', () => {
  const days = (): { year: WeatherYear; starts: number[]; count: number } => {
    const file =
      process.env['CLIMATE_WEATHER'] ?? join(import.meta.dirname, '../../../fixtures/weather/chicago-tmy3.csv');
    const year = readWeatherCsv(readFileSync(file, 'utf8'), { utc_offset_h: -6 });
    const first = Date.UTC(2026, 0, 1, 6);
    const dayMs = 24 * 60 * minuteMs;
    // Three days of each season, or the whole year.
    return isLong
      ? { year, starts: [first], count: 365 }
      : { year, starts: [20, 100, 190, 285].map((day) => first + day * dayMs), count: 3 };
  };

  it('limits win, CO2 stays in, heat is not let out, motors live, and the house is warm', () => {
    const { year, starts, count } = days();
    const co2OutOfVents: number[] = [];
    const overlaps: number[] = [];
    const stormy: number[] = [];
    let mostMoves = 0;
    let heaterMoves = 0;
    let cold_kh = 0;
    let hours = 0;
    for (const fromMs of starts) {
      let overlap_s = 0;
      let before: Looked['equipment'] | undefined;
      let moved: number[] = [];
      const look_s = isLong ? 60 : 120;
      const looked = ({ at_ms, equipment, indoor, step, weather }: Looked): void => {
        const vent = Math.max(equipment.roof_vent, equipment.side_vent);
        if (equipment.co2 > 0 && vent > 0.1) co2OutOfVents.push(at_ms);
        if (weather.wind_m_s > 15 && vent > 0) stormy.push(at_ms);
        const least = Math.max(0.05, (step.setpoints.vent_min_pct.value ?? 0) / 100);
        overlap_s = equipment.heater > 0.1 && vent > least + 1e-9 ? overlap_s + look_s : 0;
        if (overlap_s > 300) overlaps.push(at_ms);
        if (before !== undefined && before.roof_vent !== equipment.roof_vent) moved.push(at_ms);
        if (before !== undefined && before.heater !== equipment.heater) heaterMoves += 1;
        moved = moved.filter((one) => one > at_ms - 60 * minuteMs);
        mostMoves = Math.max(mostMoves, moved.length);
        before = equipment;
        hours += look_s / 3600;
        // The run begins with a cold house, and a heater that is full can do no more.
        const isFree = at_ms >= fromMs + 180 * minuteMs && equipment.heater < 1;
        const missed_k = (step.setpoints.heating_c.value ?? 0) - 0.5 - indoor.temp_c;
        if (isFree) cold_kh += (Math.max(0, missed_k) * look_s) / 3600;
      };
      runClimate({ program: programOf(), year, from_ms: fromMs, days: count, look_s, looked });
    }
    expect({ co2OutOfVents, overlaps, stormy }).toEqual({ co2OutOfVents: [], overlaps: [], stormy: [] });
    expect(mostMoves).toBeLessThanOrEqual(12);
    expect(heaterMoves / (hours / 24)).toBeLessThan(40);
    expect(cold_kh / hours).toBeLessThan(0.02);
  }, 600_000);
});
