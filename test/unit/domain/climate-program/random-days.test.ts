import fc from 'fast-check';
import { expect, it } from 'vitest';
import { climateFaults } from '../../../../server/contract/climate.ts';
import {
  climateDefaults,
  setpointRanges,
  type ClimateProgram,
  setpointNames,
} from '../../../../server/contract/climate-settings.ts';
import { climateReason } from '../../../../server/contract/reason.ts';
import { explained } from '../../../../server/domain/control/reason-text.ts';
import type { ClimateHouse } from '../../../../server/domain/climate-program/moment.ts';
import { modelHouse, programOf as usual, runClimate, type Looked } from '../../../support/climate-run.ts';
import { yearSite } from '../../../support/climate-sites.ts';

const isLong = process.env['TEST_SCALE'] === 'long';
const dayMs = 86_400_000;
const look_s = 120;
const site = yearSite();

const house: ClimateHouse = {
  ...modelHouse,
  actuators: [
    ...modelHouse.actuators,
    { key: 'screen', role: 'thermal_curtain', kind: 'dimmer', azimuth_deg: null },
    { key: 'mixer', role: 'circulation_fan', kind: 'switch', azimuth_deg: null },
    { key: 'valve', role: 'irrigation_valve', kind: 'switch', azimuth_deg: null, valve: { area_m2: 400, l_h: 4000 } },
  ],
};

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
const period = fc.record({
  heating_c: number(5, 24),
  above_k: number(0, 8),
  humidity_pct: fc.option(number(60, 95), { nil: undefined }),
  co2_ppm: fc.option(number(400, 1400), { nil: undefined }),
  vents: fc.tuple(number(0, 100), number(0, 100)).map((both) => both.sort((a, b) => a - b)),
  screen_allowed: fc.boolean(),
  ramp: fc.constantFrom(undefined, { k_per_h: 1 }, { minutes: 90 }),
});
const influence = fc.record({
  on: fc.constantFrom(...setpointNames),
  source: fc.constantFrom('radiation', 'outdoor_temp', 'wind', 'humidity', 'temperature_mean', 'light_sum'),
  from_x: number(-20, 100),
  width: number(1, 800),
  from_y: number(-6, 6),
  to_y: number(-6, 6),
  slew_per_h: fc.option(number(0.1, 20), { nil: undefined }),
});

/** Programs of two to four periods with everything that a person may set, as far as the model has a use for it. */
const programs = fc.record({
  periods: fc.array(period, { minLength: 2, maxLength: 4 }),
  influences: fc.array(influence, { maxLength: 4 }),
  heating: fc.record({ gain_pct_per_k: number(2, 60), integral_min: number(10, 300), has_feed_forward: fc.boolean() }),
  ventilation: fc.record({
    band_warm_k: number(0.5, 8),
    wider_k: number(0, 12),
    wind_side_offset_k: number(0, 4),
    least_step_pct: number(2, 30),
    pause_s: number(60, 1200),
  }),
  humidity: fc.record({ vent_most_pct: number(0, 30), heat_most_pct: number(0, 40), fog_above_kpa: number(0.3, 2) }),
  co2: fc.record({ vent_most_pct: number(0, 50), maximum_ppm: number(600, 2000) }),
  mean: fc.record({ is_on: fc.boolean(), target_c: number(12, 24), days: number(1, 7), most_k: number(0, 4) }),
  limits: fc.record({ storm_m_s: number(4, 20), rain_vent_most_pct: number(0, 60), frost_c: number(-5, 8) }),
  areLampsOn: fc.boolean(),
});
type Drawn = typeof programs extends fc.Arbitrary<infer One> ? One : never;

function programOf(drawn: Drawn): ClimateProgram {
  const { ventilation: vents, areLampsOn } = drawn;
  const starts = ['00:30', '07:00', '12:00', '18:30'];
  const base = climateDefaults;
  return {
    ...base,
    periods: drawn.periods.map(({ above_k, vents: [vent_min_pct, vent_max_pct], ramp, ...asked }, index) => {
      const { heating_c, humidity_pct, co2_ppm, screen_allowed } = asked;
      const optional = {
        ...(humidity_pct !== undefined && { humidity_pct }),
        ...(co2_ppm !== undefined && { co2_ppm }),
      };
      const setpoints = { heating_c, ventilation_c: heating_c + above_k, vent_min_pct, vent_max_pct, screen_allowed };
      const start = { event: 'clock' as const, at: starts[index] ?? '23:00' };
      return { name: `${index}`, start, ...(ramp && { ramp }), setpoints: { ...setpoints, ...optional } };
    }),
    influences: drawn.influences.map(({ width, slew_per_h, ...one }) => ({
      ...one,
      to_x: one.from_x + width,
      ...(slew_per_h !== undefined && { slew_per_h }),
    })),
    heating: { ...base.heating, ...drawn.heating },
    ventilation: {
      ...base.ventilation,
      band_warm_k: vents.band_warm_k,
      band_cold_k: vents.band_warm_k + vents.wider_k,
      wind_side_offset_k: vents.wind_side_offset_k,
      least_step_pct: vents.least_step_pct,
      pause_s: vents.pause_s,
    },
    humidity: { ...base.humidity, ...drawn.humidity },
    co2: { ...base.co2, ...drawn.co2 },
    lamps: { ...base.lamps, is_on: areLampsOn },
    irrigation: { ...base.irrigation, is_on: true },
    mean_temperature: drawn.mean,
    limits: { ...base.limits, ...drawn.limits },
  };
}

const ventKeys = ['roof_vent', 'side_vent'] as const;
const forced = new Set(['storm', 'station_lost', 'rain', 'frost']);

/** Holds each look of a day against what control promises. Returns what it looks with. */
function judging(program: ClimateProgram): (looked: Looked) => void {
  const { limits, co2, humidity, ventilation, mean_temperature: mean, irrigation } = program;
  let overlap_s = 0;
  const wide_s = new Map<string, number>();
  let before: Looked | undefined;
  /**
   * A move that no limit forces is worth one: two per cent near closed and to a minimum, elsewhere the smallest that
   * the program allows.
   */
  const judgeMoves = ({ step, positions_pct }: Looked): void => {
    for (const key of ventKeys) {
      const [was, is] = [before?.positions_pct[key] ?? 0, positions_pct[key] ?? 0];
      const why = step.demands.find((one) => one.key === key)?.cause.code ?? '';
      if (before === undefined || is === was || is === 0 || is === 100 || forced.has(why)) continue;
      const isLeast = Math.abs(is - (step.setpoints.vent_min_pct.value ?? 0)) < 1e-6;
      const isSmall = isLeast || Math.min(was, is) < ventilation.least_step_pct;
      const least_pct = isSmall ? Math.min(2, ventilation.least_step_pct) : ventilation.least_step_pct;
      expect(Math.abs(is - was)).toBeGreaterThanOrEqual(least_pct - 1e-9);
    }
  };
  return (looked) => {
    const { equipment, indoor, positions_pct, step, weather } = looked;
    const vent_pct = 100 * Math.max(equipment.roof_vent, equipment.side_vent);
    if (weather.wind_m_s > limits.storm_m_s) expect(vent_pct).toBe(0);
    if (weather.rain_mm_h > 0) expect(vent_pct).toBeLessThanOrEqual(limits.rain_vent_most_pct + 1e-9);
    if (weather.temp_c < limits.frost_c) expect(vent_pct).toBeLessThanOrEqual(limits.frost_vent_most_pct + 1e-9);
    // Where a period takes its maximum back, each vent follows by the rules of its motor.
    for (const key of ventKeys) {
      const isWide =
        (positions_pct[key] ?? 0) > (step.setpoints.vent_max_pct.value ?? 100) + ventilation.least_step_pct;
      wide_s.set(key, isWide ? (wide_s.get(key) ?? 0) + look_s : 0);
      expect(wide_s.get(key)).toBeLessThanOrEqual(ventilation.pause_s + 2 * look_s);
    }
    if (vent_pct > co2.vent_most_pct || indoor.co2_ppm >= co2.maximum_ppm) expect(equipment.co2).toBe(0);
    // Heat to dry the air goes with the vents by which it dries; a vent that has just moved waits for its pause.
    const allowed_pct = Math.max(5, step.setpoints.vent_min_pct.value ?? 0, humidity.vent_most_pct);
    const isBoth = 100 * equipment.heater > humidity.heat_most_pct + 10 && vent_pct > allowed_pct + 1e-9;
    // Who asks for one temperature and no other asks for both.
    const zone_k = (step.setpoints.ventilation_c.value ?? 0) - (step.setpoints.heating_c.value ?? 0);
    overlap_s = isBoth && zone_k >= 0.5 ? overlap_s + look_s : 0;
    expect(overlap_s).toBeLessThanOrEqual(Math.max(300, 2 * ventilation.pause_s) + 2 * look_s);
    for (const name of setpointNames) {
      const { value, parts } = step.setpoints[name];
      const [least, most] = setpointRanges[name];
      if (value === null) continue;
      expect(value).toBeGreaterThanOrEqual(least);
      expect(value).toBeLessThanOrEqual(most);
      expect(parts.reduce((sum, one) => sum + one.value, 0)).toBeCloseTo(value, 6);
      const correction_k = parts.find(({ what }) => what === 'mean_temperature')?.value ?? 0;
      expect(Math.abs(correction_k)).toBeLessThanOrEqual(mean.most_k + 1e-9);
    }
    expect(step.setpoints.ventilation_c.value).toBeGreaterThanOrEqual(step.setpoints.heating_c.value ?? 0);
    expect(step.sums.water_l_m2).toBeLessThanOrEqual(irrigation.most_l_m2 + irrigation.shot_ml_m2 / 1000);
    for (const { pct, cause } of step.demands) {
      expect(pct === null || (pct >= 0 && pct <= 100)).toBe(true);
      expect(explained(climateReason(cause)).because).not.toContain('–');
    }
    judgeMoves(looked);
    before = looked;
  };
}

it('whatever somebody sets, limits win, corrections are bounded, motors live and each command has its cause', () => {
  fc.assert(
    fc.property(programs, fc.integer({ min: 0, max: 364 }), (drawn, day) => {
      const program = programOf(drawn);
      const named = { ...program, unique_id: '', revision: 1, name: '', is_activated: true, facility_uuid: '' };
      expect(climateFaults(named)).toEqual([]);
      const from_ms = site.january_ms + day * dayMs;
      runClimate({ program, site, from_ms, days: 1, look_s, house, looked: judging(program) });
    }),
    { numRuns: isLong ? 1_000 : 12, endOnFailure: true },
  );
}, 3_600_000);

it('a vent takes the time of its drive, also in the rehearsed house', () => {
  const run_time_s = 600;
  const actuators = modelHouse.actuators.map((one) => (one.key === 'roof_vent' ? { ...one, run_time_s } : one));
  let before = 0;
  let widest = 0;
  const looked = ({ equipment, positions_pct }: Looked): void => {
    expect(Math.abs(equipment.roof_vent - before)).toBeLessThanOrEqual(look_s / run_time_s + 1e-9);
    widest = Math.max(widest, equipment.roof_vent, (positions_pct['roof_vent'] ?? 0) / 100);
    before = equipment.roof_vent;
  };
  const from_ms = Date.UTC(2026, 6, 10, 6);
  // Narrow, so that it is asked to open wide at once.
  const program = usual({ ventilation: { ...climateDefaults.ventilation, band_warm_k: 0.5, band_cold_k: 0.5 } });
  runClimate({ program, site, from_ms, days: 1, look_s, house: { ...modelHouse, actuators }, looked });
  expect(widest).toBeGreaterThan(0.9);
});
