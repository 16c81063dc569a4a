import { describe, expect, it } from 'vitest';
import {
  allOff,
  equilibrium,
  inputsOf,
  readIndoor,
  simulatedHouse,
  stepSimulatedHouse,
  ventFlow_m3_s,
  type Equipment,
} from '../../../../server/domain/climate/simulated-house.ts';
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
const after = (equipment: Partial<Equipment>, weather: Weather, seconds: number, from = equilibrium(weather)) =>
  stepSimulatedHouse(from, { equipment: { ...allOff, ...equipment }, weather }, seconds);

describe('the simulated house', () => {
  it('has the air column of its model', () => {
    expect(simulatedHouse.volume_m3 / simulatedHouse.floor_area_m2).toBeCloseTo(4.1, 9);
  });

  it('holds 18 C at -12 C with the heater, and no more than half a degree above', () => {
    const held = after({ heater: 1 }, frost, 7 * 86_400).temp_c;
    expect(held).toBeGreaterThanOrEqual(18);
    expect(held).toBeLessThan(18.5);
  });

  it.each([
    ['night', frost],
    ['noon', noon],
    ['a winter moment', weatherAt(37.57, Date.UTC(2026, 0, 15, 3), 126.98)],
    ['a summer moment', weatherAt(37.57, Date.UTC(2026, 6, 15, 3), 126.98)],
  ])('rests at its equilibrium at %s while all is off', (_name, weather) => {
    const start = equilibrium(weather);
    const later = after({}, weather, 600, start);
    expect(later.temp_c).toBeCloseTo(start.temp_c, 9);
    expect(Math.abs(later.vapour_kg_m3 / start.vapour_kg_m3 - 1)).toBeLessThan(1e-4); // the crop grows
    expect(Math.abs(later.co2_kg_m3 / start.co2_kg_m3 - 1)).toBeLessThan(0.01);
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

  it('exchanges Cd A/3 sqrt(g H dT/T) through vents of one height in calm air', () => {
    const roof = ventFlow_m3_s({ ...allOff, roof_vent: 1 }, { ...noon, wind_m_s: 0 }, 34);
    expect(Math.abs(roof / (((0.6 * 40) / 3) * Math.sqrt((9.81 * 0.4 * 10) / 302.15)) - 1)).toBeLessThan(0.03);
  });

  it('turns positions into what the model takes', () => {
    const full = { heater: 1, fan: 1, side_vent: 0, roof_vent: 0, co2: 1, lighting: 1, shade: 1, fogger: 1 };
    const inputs = inputsOf(full, noon, 24);
    expect(inputs.heating_w_m2).toBe(185);
    expect(inputs.ventilation_m_s).toBeCloseTo(0.04, 12);
    expect(inputs.radiation_w_m2).toBeCloseTo(700 * 0.5 + 60, 9);
    expect(inputs.co2_kg_m2s * 3600).toBeCloseTo(0.005, 12);
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
    const start_ms = Date.UTC(2026, 0, 1);
    let state = equilibrium(weatherAt(37.57, start_ms, 126.98));
    const stride = process.env['TEST_SCALE'] === 'long' ? 1 : 75;
    for (let step = 0; step < 17_520; step += stride) {
      const weather = weatherAt(37.57, start_ms + step * 1_800_000, 126.98);
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
