import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  climateDefaults,
  type ClimateInfluence,
  type ClimatePeriod,
} from '../../../../server/contract/climate-settings.ts';
import { crossingOf, dayPlan } from '../../../../server/domain/climate-program/day-plan.ts';
import { climatePreviewOf } from '../../../../server/domain/climate-program/preview.ts';
import type { ClimateCause } from '../../../../server/contract/climate-reason.ts';
import { climateReason } from '../../../../server/contract/reason.ts';
import { explained } from '../../../../server/domain/control/reason-text.ts';
import { looking, noon, pctOf, whyOf } from '../../../support/climate-looks.ts';
import { programOf, runClimate, twoPeriods, type Looked } from '../../../support/climate-run.ts';
import { chicago, elsewhere, yearSite } from '../../../support/climate-sites.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
const minuteMs = 60_000;

const wordsOf = (cause: ClimateCause): string => explained(climateReason(cause)).because;

describe('periods and setpoints', () => {
  it('ramp by K an hour from sunrise, and name the period', () => {
    const plan = dayPlan(programOf(), chicago);
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
      name: 'x',
      start: at,
      setpoints: { heating_c: 18, ventilation_c: 22 },
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

  it('go by any measurement that an influence names, no faster than it may', () => {
    const measurement = { device_id: 'a', measurement_id: 'b', max_age_s: 60 };
    const influence = {
      on: 'humidity_pct',
      source: 'measurement',
      measurement,
      from_x: 0,
      to_x: 10,
      from_y: 0,
      to_y: -10,
    };
    const { look } = looking({ influences: [{ ...influence, slew_per_h: 60 } as ClimateInfluence] }); // of literals
    const humidity = (value: number | null) => look({ measured: [value] }).setpoints.humidity_pct.value;
    expect([humidity(0), humidity(10), humidity(10), humidity(null)]).toEqual([88, 87, 86, 86]);
    expect([look({ measured: [null] }).fallbacks, look({ measured: [1] }).fallbacks]).toEqual([['no_influence'], []]);
  });

  it('keep the shift of a silent influence when another is taken out of the list', () => {
    const { look, change } = looking({
      influences: [
        { on: 'heating_c', source: 'radiation', from_x: 0, to_x: 100, from_y: 0, to_y: 4 },
        { on: 'heating_c', source: 'wind', from_x: 0, to_x: 10, from_y: 0, to_y: 1 },
      ],
    });
    expect(look({ radiation_w_m2: 100, wind_m_s: 5 }).setpoints.heating_c.value).toBeCloseTo(23.5, 9);
    change(({ influences }) => ({ influences: influences.slice(1) }));
    expect(look({ wind_m_s: null }).setpoints.heating_c.value).toBeCloseTo(19.5, 9);
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

  it('are foreseen with the mean temperature of the draft, not of the program that runs', () => {
    const from_ms = Date.parse('2026-03-20T00:00-06:00');
    const live = { heating_c: { parts: [{ what: 'mean_temperature' as const, source: null, value: -1.2 }] } };
    const shift = (mean_temperature: Partial<(typeof climateDefaults)['mean_temperature']>) => {
      const program = programOf({ mean_temperature: { ...climateDefaults.mean_temperature, ...mean_temperature } });
      const found = climatePreviewOf({ program, place: chicago, from_ms, hours: 3, now_ms: from_ms, live });
      return found.setpoints.heating_c.shift.at(-1);
    };
    const drafts = [{ is_on: true, most_k: 2 }, { is_on: true, most_k: 0.2 }, { is_on: false }].map(shift);
    expect(drafts).toEqual([-1.2, -0.2, 0].map((value) => expect.closeTo(value, 9) as number));
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
    const sharesAt = (hour: number) =>
      found.setpoints.heating_c.shares.map(({ what, source, values }) => [what, source, values[at(hour)]]);
    expect(sharesAt(1)).toEqual([
      ['influence', 'humidity', 0],
      ['influence', 'radiation', 0],
    ]);
    expect(sharesAt(12)).toEqual([
      ['influence', 'humidity', 0.5],
      ['influence', 'radiation', 2],
    ]);
    const { values, period, shares } = found.setpoints.heating_c;
    const sums = shares.reduce(
      (sum, share) => sum.map((one, index) => one + (share.values[index] ?? NaN)),
      period.map(Number),
    );
    for (const [index, sum] of sums.entries()) expect(sum).toBeCloseTo(Number(values[index]), 9);
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
      'Vents 12.23\u202f%: 1.4\u202fK above 23\u202f°C, band 11.45\u202fK',
    );
  });

  it('opens the lee side first, the wind side after its offset', () => {
    const step = looking().look({ temp_c: 25, outdoor_c: 20, wind_dir_deg: 90, wind_m_s: 4 });
    expect(pctOf(step, 'roof_vent')).toBeCloseTo(44.6, 1);
    expect(pctOf(step, 'side_vent')).toBeCloseTo(22.3, 1);
  });

  it('opens further while an excess lasts, says so, and is shut where heat may come again', () => {
    const { look, settle, state } = looking();
    const warm = { temp_c: 24, outdoor_c: 20 };
    const first = pctOf(look(warm), 'roof_vent') ?? 0;
    const lasting = settle(warm, 60);
    // After an hour the excess has opened as far again as its band did.
    expect(state().vent_integral_pct).toBeCloseTo(first, 0);
    expect([pctOf(lasting, 'roof_vent') ?? 0, whyOf(lasting, 'roof_vent')]).toEqual([
      expect.closeTo(2 * first, -1),
      'vent_lasting',
    ]);
    settle(warm, 120);
    expect(state().vent_integral_pct).toBeLessThanOrEqual(100);
    const cool = settle({ temp_c: 21.9, outdoor_c: 20 }, 10);
    expect([state().vent_integral_pct, pctOf(cool, 'roof_vent')]).toEqual([0, 0]);
    const plain = looking({ ventilation: { ...climateDefaults.ventilation, integral_min: null } });
    expect(pctOf(plain.settle(warm, 120), 'roof_vent')).toBe(first);
  });

  it('does not wind up in a storm', () => {
    const { settle, state } = looking();
    settle({ temp_c: 27, outdoor_c: 20, wind_m_s: 18 }, 120);
    expect(state().vent_integral_pct).toBe(0);
  });

  it('keeps the wind side to the maximum of its period', () => {
    const periods = twoPeriods.map((one) => ({ ...one, setpoints: { ...one.setpoints, wind_side_max_pct: 15 } }));
    const wind = { wind_dir_deg: 90, wind_m_s: 4 };
    const step = looking({ periods }).settle({ temp_c: 28, outdoor_c: 20, ...wind });
    expect([pctOf(step, 'side_vent'), pctOf(step, 'roof_vent')]).toEqual([15, 100]);
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
  /** Three days of each season, or the whole year. */
  const spans = isLong ? [{ day: 0, days: 365 }] : [20, 100, 190, 285].map((day) => ({ day, days: 3 }));

  it.each([yearSite(), ...elsewhere])(
    '$name: limits win, CO2 stays in, heat too, motors live, it is warm',
    (site) => {
      const co2OutOfVents: number[] = [];
      const overlaps: number[] = [];
      const stormy: number[] = [];
      const moves = { vent: 0, turns: 0, heater: 0 };
      let cold_kh = 0;
      let hours = 0;
      for (const { day, days } of spans) {
        const fromMs = site.january_ms + day * 24 * 60 * minuteMs;
        let overlap_s = 0;
        let before: Looked['equipment'] | undefined;
        let turned: { isUp: boolean; at_ms: number } | undefined;
        const look_s = isLong ? 60 : 120;
        const looked = ({ at_ms, equipment, indoor, step, weather }: Looked): void => {
          const vent = Math.max(equipment.roof_vent, equipment.side_vent);
          if (equipment.co2 > 0 && vent > 0.1) co2OutOfVents.push(at_ms);
          if (weather.wind_m_s > 15 && vent > 0) stormy.push(at_ms);
          const least = Math.max(0.05, (step.setpoints.vent_min_pct.value ?? 0) / 100);
          overlap_s = equipment.heater > 0.1 && vent > least + 1e-9 ? overlap_s + look_s : 0;
          if (overlap_s > 300) overlaps.push(at_ms);
          if (before !== undefined && before.roof_vent !== equipment.roof_vent) {
            const isUp = equipment.roof_vent > before.roof_vent;
            moves.vent += 1;
            if (turned !== undefined && turned.isUp !== isUp && at_ms - turned.at_ms <= 15 * minuteMs) moves.turns += 1;
            turned = { isUp, at_ms };
          }
          if (before !== undefined && before.heater !== equipment.heater) moves.heater += 1;
          before = equipment;
          hours += look_s / 3600;
          // The run begins with a cold house, and a heater that is full can do no more.
          const isFree = at_ms >= fromMs + 180 * minuteMs && equipment.heater < 1;
          const missed_k = (step.setpoints.heating_c.value ?? 0) - 0.5 - indoor.temp_c;
          if (isFree) cold_kh += (Math.max(0, missed_k) * look_s) / 3600;
        };
        runClimate({ program: programOf(), site, from_ms: fromMs, days, look_s, looked });
      }
      expect({ co2OutOfVents, overlaps, stormy }).toEqual({ co2OutOfVents: [], overlaps: [], stormy: [] });
      const days_d = hours / 24;
      // Some eight a day, and one in twenty undoes the one before.
      expect(moves.vent / days_d).toBeLessThan(12);
      expect(moves.turns / days_d).toBeLessThan(1);
      expect(moves.heater / days_d).toBeLessThan(40);
      expect(cold_kh / hours).toBeLessThan(0.02);
    },
    600_000,
  );
});
