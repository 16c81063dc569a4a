import { describe, expect, it } from 'vitest';
import { computeCapacity } from '../../../../server/domain/capacity/compute.ts';
import {
  allOff,
  houseAfterDay,
  inputsOf,
  leakageOf_m_s,
  readIndoor,
  simulatedHouse,
  stepSimulatedHouse,
  ventFlow_m3_s,
  type Equipment,
} from '../../../../server/domain/simulation/simulated-house.ts';
import { weatherAt, type Weather } from '../../../../server/domain/climate/weather.ts';

const frost: Weather = {
  temp_c: -12,
  humidity_pct: 70,
  co2_ppm: 420,
  radiation_w_m2: 0,
  wind_m_s: 3,
  wind_dir_deg: 60,
  rain_mm_h: 0,
};
const noon: Weather = { ...frost, temp_c: 24, humidity_pct: 55, radiation_w_m2: 700 };
/** The house after a day of one weather. */
const equilibrium = (weather: Weather) => houseAfterDay(() => weather);
const seoulAt = (nowMs: number) => houseAfterDay((before_s) => weatherAt(37.57, nowMs - 1000 * before_s, 126.98));
const after = (equipment: Partial<Equipment>, weather: Weather, seconds: number, from = equilibrium(weather)) =>
  stepSimulatedHouse(from, { equipment: { ...allOff, ...equipment }, weather }, seconds);

describe('the simulated house', () => {
  it('has the air column of its model', () => {
    expect(simulatedHouse.volume_m3 / simulatedHouse.floor_area_m2).toBeCloseTo(4.1, 9);
  });

  it('has the heater that the load calculation asks for, and holds 18 C at -12 C with it', () => {
    const { details } = computeCapacity({
      envelope: simulatedHouse.envelope,
      bay_count: 1,
      design_conditions: { heating_indoor_c: 18, heating_outdoor_c: -12 },
    });
    expect(simulatedHouse.heater_w / 1000 - details.heating.load_kw).toBeGreaterThanOrEqual(0);
    expect(simulatedHouse.heater_w / 1000 - details.heating.load_kw).toBeLessThan(1);
    const held = after({ heater: 1 }, frost, 7 * 86_400).temp_c;
    expect(held).toBeGreaterThanOrEqual(18);
    // Wind of 3 m/s leaks 0.26 air changes an hour, the load takes a whole one.
    expect(held).toBeLessThan(22);
  });

  it('leaks by the wind (Vanthoor 2011, eq. 8.71)', () => {
    for (const [wind_m_s, leakage_m_s] of [
      [0, 2.5e-5],
      [0.25, 2.5e-5],
      [2, 2e-4],
      [6, 6e-4],
    ] as const) {
      expect(leakageOf_m_s(wind_m_s)).toBeCloseTo(leakage_m_s, 12);
    }
  });

  it('is warmer at noon and colder by night than the air outside, with no more than saturated air', () => {
    const night = equilibrium(frost);
    expect(Math.abs(night.temp_c - frost.temp_c)).toBeLessThan(1);
    const day = readIndoor(equilibrium(noon), { equipment: allOff, weather: noon });
    expect(day.temp_c - noon.temp_c).toBeCloseTo((0.2 * 700) / 12.73, -1);
    expect(day.humidity_pct).toBeLessThanOrEqual(100);
  });

  it.each([
    ['Seoul', 37.57, 126.98],
    ['Naaldwijk', 52, 4.2],
    ['Almeria', 36.8, -2.4],
    ['Singapore', 1.35, 103.8],
    ['Phoenix', 33.4, -112],
    ['Nairobi', -1.3, 36.8],
    ['Melbourne', -37.8, 145],
    ['Chicago', 41.98, -87.9],
    ['Kiruna', 67.8, 20.3],
    ['Abu Dhabi', 24.4, 54.6],
  ])('gives a young crop 250 to 600 ppm at noon in every month: %s', (_place, lat, lng) => {
    for (let month = 0; month < 12; month += 1) {
      for (const day of [5, 25]) {
        const now = Date.UTC(2026, month, day, 12) - (lng / 360) * 86_400_000;
        const weather = weatherAt(lat, now, lng);
        // The sun has not risen.
        if (weather.radiation_w_m2 < 50) continue;
        const state = houseAfterDay((before_s) => weatherAt(lat, now - 1000 * before_s, lng));
        const { co2_ppm } = readIndoor(state, { equipment: allOff, weather });
        expect(co2_ppm, `${month + 1}-${day}`).toBeGreaterThan(250);
        expect(co2_ppm, `${month + 1}-${day}`).toBeLessThan(600);
      }
    }
  });

  it('begins where a day of its weather left it: an afternoon keeps the warmth of the noon', () => {
    const dusk = Date.UTC(2026, 3, 15, 10);
    const weather = weatherAt(37.57, dusk, 126.98);
    expect(seoulAt(dusk).temp_c).toBeGreaterThan(equilibrium(weather).temp_c + 0.5);
  });

  it('keeps the sun of the day in a bare floor for the night', () => {
    const dawn = Date.UTC(2026, 5, 14, 20);
    const weather = (before_s: number) => weatherAt(37.57, dawn - 1000 * before_s, 126.98);
    const [bare, full] = [houseAfterDay(weather, 'none'), houseAfterDay(weather, 'full')];
    expect(bare.floor_c - bare.temp_c).toBeGreaterThan(3);
    expect(bare.temp_c - weather(0).temp_c).toBeGreaterThan(1.5);
    expect(full.floor_c).toBeLessThan(bare.floor_c - 2);
  });

  it('changes no CO2 by heating: gases are mixing ratios', () => {
    const start = equilibrium(frost);
    const read = (heater: number, seconds: number) =>
      readIndoor(after({ heater }, frost, seconds, start), { equipment: allOff, weather: frost });
    expect(read(1, 1800).temp_c).toBeGreaterThan(read(0, 1800).temp_c + 10);
    // The crop breathes a little more where it is warm.
    expect(Math.abs(read(1, 1800).co2_ppm - read(0, 1800).co2_ppm)).toBeLessThan(3);
  });

  it('condenses on its cold cover: humid air dries below saturation', () => {
    const warm = { ...equilibrium(frost), temp_c: 18, vapour_kg_m3: 0.014 };
    const read = (seconds: number) =>
      readIndoor(after({ heater: 0.9 }, frost, seconds, warm), { equipment: allOff, weather: frost });
    expect(read(1).humidity_pct).toBeGreaterThan(85);
    expect(read(3600).humidity_pct).toBeLessThan(70);
    expect(inputsOf(allOff, noon, { ...warm, temp_c: 24, vapour_kg_m3: 0.005 }).condensed_kg_m2s).toBe(0);
  });

  it.each([
    ['heater warms', { heater: 1 }, frost, 'temp_c', 1],
    ['fan cools', { fan: 1 }, noon, 'temp_c', -1],
    ['side vents cool', { side_vent: 0.3 }, noon, 'temp_c', -1],
    ['roof vents cool', { roof_vent: 0.3 }, noon, 'temp_c', -1],
    ['shade cools', { shade: 1 }, noon, 'temp_c', -1],
    ['lamps warm', { lighting: 1 }, frost, 'temp_c', 1],
    ['CO2 rises', { co2: 1 }, frost, 'co2_ppm', 1],
    ['fogger moistens', { fogger: 1 }, noon, 'humidity_pct', 1],
    ['fogger cools', { fogger: 1 }, noon, 'temp_c', -1],
    ['shade darkens', { shade: 1 }, noon, 'light_w_m2', -1],
    ['lamps light', { lighting: 1 }, frost, 'light_w_m2', 1],
  ] as const)('%s', (_name, change, weather, quantity, sign) => {
    const equipment = { ...allOff, ...change };
    const read = (state: ReturnType<typeof equilibrium>, on: Equipment) =>
      readIndoor(state, { equipment: on, weather });
    const before = read(equilibrium(weather), allOff)[quantity];
    const later = read(after(change, weather, 600), equipment)[quantity];
    expect((later - before) * sign).toBeGreaterThan(0.1);
  });

  it('moves air through its vents by their position, by wind and by warmth', () => {
    const flow = (change: Partial<Equipment>, weather: Weather, indoor_c: number) =>
      ventFlow_m3_s({ ...allOff, ...change }, weather, indoor_c);
    const calm = { ...noon, wind_m_s: 0 };
    expect(flow({}, noon, 40)).toBe(0);
    expect(flow({ side_vent: 1 }, calm, 24)).toBe(0);
    expect(flow({ side_vent: 1, roof_vent: 1 }, calm, 30)).toBeGreaterThan(flow({ side_vent: 1 }, calm, 30));
    expect(flow({ side_vent: 0.5 }, noon, 24) / flow({ side_vent: 1 }, noon, 24)).toBeCloseTo(0.5, 9);
    expect(flow({ side_vent: 1 }, { ...noon, wind_m_s: 6 }, 24) / flow({ side_vent: 1 }, noon, 24)).toBeCloseTo(2, 6);
  });

  it('exchanges (A Cd / 2) sqrt(g (h/2) dT/T) through its roof vents in calm air (Boulard & Baille 1995)', () => {
    const roof = ventFlow_m3_s({ ...allOff, roof_vent: 1 }, { ...noon, wind_m_s: 0 }, 34);
    expect(Math.abs(roof / (((0.6 * 40) / 2) * Math.sqrt((9.81 * 0.2 * 10) / 302.15)) - 1)).toBeLessThan(0.03);
  });

  it('turns positions into what the model takes', () => {
    const full = { ...allOff, heater: 1, fan: 1, co2: 1, lighting: 1, shade: 1, fogger: 1 };
    const inputs = inputsOf(full, noon, { ...equilibrium(noon), temp_c: 24 });
    // Lamps of 60 W/m2 of light take 103 W/m2 of power: the rest is heat, and their light passes no covering.
    expect(inputs.heating_w_m2).toBeCloseTo(445 + 60 / 0.58 - 60, 9);
    expect(inputs.ventilation_m_s).toBeCloseTo(0.04, 12);
    expect(inputs.radiation_w_m2).toBeCloseTo(700 * 0.5 + 60 / 0.7, 9);
    expect(inputs.co2_kg_m2s * 3600).toBeCloseTo(0.005 + 0.00015, 12);
    expect(inputs.fog_kg_m2s * 3600).toBeCloseTo(0.15, 12);
  });

  it('comes to the same house in seconds and in ten minutes, vents open and fan running', () => {
    const equipment = { ...allOff, side_vent: 1, roof_vent: 0.5, fan: 0.5 };
    const start = { ...equilibrium(noon), temp_c: 38 };
    let seconds = start;
    for (let second = 0; second < 600; second += 1)
      seconds = stepSimulatedHouse(seconds, { equipment, weather: noon }, 1);
    const minutes = stepSimulatedHouse(start, { equipment, weather: noon }, 600);
    for (const key of ['temp_c', 'vapour_kg_m3', 'co2_kg_m3', 'dry_matter_kg_m2'] as const) {
      expect(Math.abs(minutes[key] / seconds[key] - 1), key).toBeLessThan(0.001);
    }
  });

  it('stays sane through a year of its weather, half an hour at a time, whatever runs', () => {
    const runs: Equipment[] = [
      allOff,
      { ...allOff, heater: 1, lighting: 1 },
      { ...allOff, side_vent: 1, roof_vent: 1, fogger: 1 },
      { ...allOff, fan: 1, co2: 1, shade: 1 },
    ];
    const startMs = Date.UTC(2026, 0, 1);
    let state = equilibrium(weatherAt(37.57, startMs, 126.98));
    const stride = process.env['TEST_SCALE'] === 'long' ? 1 : 75;
    for (let step = 0; step < 17_520; step += stride) {
      const weather = weatherAt(37.57, startMs + step * 1_800_000, 126.98);
      const equipment = runs[(step / stride) % runs.length] ?? allOff;
      state = stepSimulatedHouse(state, { equipment, weather }, 1800);
      const read = readIndoor(state, { equipment, weather });
      expect(read.temp_c).toBeGreaterThan(-20);
      expect(read.temp_c).toBeLessThan(75);
      expect(read.humidity_pct).toBeGreaterThan(0);
      expect(read.humidity_pct).toBeLessThanOrEqual(100);
      expect(read.co2_ppm).toBeGreaterThan(0);
      expect(read.co2_ppm).toBeLessThan(20_000);
    }
  });
});
