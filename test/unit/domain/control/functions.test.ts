import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bangBang } from '../../../../server/domain/control/functions/bang-bang.ts';
import {
  average,
  dewMargin,
  difference,
  ofAir,
  redundancy,
  sum,
  type Quantity,
} from '../../../../server/domain/control/functions/derived.ts';
import {
  dosingStep,
  givenBy,
  restingDosing,
  type DosingSettings,
  type DosingState,
} from '../../../../server/domain/control/functions/dosing.ts';
import {
  cropTranspiration,
  stomatalResistance_s_m,
  type CropAir,
} from '../../../../server/domain/control/functions/transpiration.ts';
import { saturationPressure_pa } from '../../../../server/domain/climate/air.ts';
import { clearnessOf, extraterrestrial_w_m2 } from '../../../../server/domain/solar/extraterrestrial.ts';
import { statisticsOf, withReading, type Part } from '../../../../server/domain/control/functions/statistics.ts';
import {
  grassEvapotranspiration_mm_h,
  saturationSlope_kpa_k,
} from '../../../../server/domain/control/functions/evapotranspiration.ts';

describe('reference evapotranspiration', () => {
  // FAO-56, example 19: N'Diaye, Senegal, 16 degrees N, 8 m above the sea, 1 October.
  const site = { pressure_pa: 101_200, clearness: 0.923 };

  it.each([
    ['between 2 and 3 h', { temp_c: 28, humidity_pct: 90, wind_m_s: 1.9, radiation_w_m2: 0, clearness: 0.8 }, 0],
    ['between 14 and 15 h', { temp_c: 38, humidity_pct: 52, wind_m_s: 3.3, radiation_w_m2: 2.45 / 0.0036 }, 0.63],
  ])('%s', (_when, air, expected) => {
    expect(grassEvapotranspiration_mm_h({ ...site, ...air })).toBeCloseTo(expected, 2);
  });

  it.each([
    [1, 0.047],
    [25, 0.189],
    [38, 0.358],
  ])('has the slope of saturation at %d C (FAO-56, table 2.4)', (temp_c, expected) => {
    expect(saturationSlope_kpa_k(temp_c)).toBeCloseTo(expected, 3);
  });

  it('grows with sun and dry air and is never negative', () => {
    const air = fc.record({
      temp_c: fc.double({ min: 0, max: 45, noNaN: true }),
      humidity_pct: fc.double({ min: 10, max: 95, noNaN: true }),
      wind_m_s: fc.double({ min: 0, max: 10, noNaN: true }),
      radiation_w_m2: fc.double({ min: 10, max: 900, noNaN: true }),
    });
    fc.assert(
      fc.property(air, (one) => {
        const et = grassEvapotranspiration_mm_h({ ...site, ...one });
        expect(et).toBeGreaterThanOrEqual(0);
        expect(
          grassEvapotranspiration_mm_h({ ...site, ...one, radiation_w_m2: one.radiation_w_m2 + 50 }),
        ).toBeGreaterThan(et - 1e-12);
      }),
    );
  });
});

describe('transpiration of a crop', () => {
  const noon: CropAir = { temp_c: 25, humidity_pct: 70, radiation_w_m2: 500, leaf_area_index: 3, co2_ppm: 400 };

  // Stanghellini (1987) with the parameters of Vanthoor (2011), table 8.1 and eq. 8.50: 82 s/m at the least,
  // 82 * 4.30 / 0.54 in the dark.
  it.each([
    ['in the dark', { radiation_w_m2: 0, co2_ppm: 200, deficit_pa: 0 }, 653],
    ['in bright light', { radiation_w_m2: 1000, co2_ppm: 200, deficit_pa: 0 }, 82.3],
    ['in dim light', { radiation_w_m2: 50, co2_ppm: 200, deficit_pa: 0 }, 88.1],
    ['in rich air', { radiation_w_m2: 1000, co2_ppm: 800, deficit_pa: 0 }, 82.3 * 1.2196],
    ['in the richest air', { radiation_w_m2: 1000, co2_ppm: 2000, deficit_pa: 0 }, 82.3 * 1.5],
    ['in dry air', { radiation_w_m2: 1000, co2_ppm: 200, deficit_pa: 1000 }, 82.3 * 5.3],
    ['in the driest air', { radiation_w_m2: 1000, co2_ppm: 200, deficit_pa: 3000 }, 82.3 * 5.8],
  ])('has stomata of their resistance %s', (_when, air, expected) => {
    expect(Math.abs(stomatalResistance_s_m(air) / expected - 1)).toBeLessThan(2e-3);
  });

  it('takes up 86 % of the light that leaves stop, and gives it all away', () => {
    const { mm_h, leaf_c } = cropTranspiration(noon);
    const given_w_m2 = (mm_h * 2.45e6) / 3600 + (2 * 3 * 1.184 * 1000 * (leaf_c - 25)) / 275;
    expect(given_w_m2).toBeCloseTo(0.86 * (1 - Math.exp(-2.1)) * 500, 0);
  });

  it('agrees with the linear balance of Penman and Monteith where leaf and air are alike', () => {
    const { mm_h, leaf_c } = cropTranspiration(noon);
    const [air_pa, slope] = [3169.2, 188.7]; // at 25 C
    const deficit_pa = saturationPressure_pa(leaf_c) - 0.7 * air_pa;
    const stomata = stomatalResistance_s_m({ ...noon, deficit_pa });
    const taken = 0.86 * (1 - Math.exp(-2.1)) * 500;
    const above = slope * taken + (6 * 1.184 * 1000 * 0.3 * air_pa) / 275;
    const linear = (above / (slope + 65.8 * (1 + stomata / 275)) / 2.45e6) * 3600;
    expect(Math.abs(mm_h / linear - 1)).toBeLessThan(0.04); // leaves are 3 K warmer than the air
  });

  // Fernandez, Bonachela, Orgaz, Thompson, Lopez, Granados, Gallardo and Fereres (2010), Irrigation Science 28:
  // lysimeters of grass under plastic in Almeria, 1993 to 2004: (0.288 + 0.0019 J) of the radiation inside on day J up
  // to 220, about 4 mm on a day in July. Grass is no tomato: a fifth is left for that, and no cool season is compared,
  // in which tomato takes a third more than that grass did. The leaf area index of grass is 24 * 0.12 m (FAO-56,
  // chapter 2).
  it.each([
    [
      'in June',
      { day: 172, noon_w_m2: 500, from_h: 4.7, hours: 14.6, night_c: 20, rise_k: 8, humid_pct: 85, dry_pct: 60 },
    ],
    [
      'in July',
      { day: 195, noon_w_m2: 480, from_h: 5, hours: 14.3, night_c: 22, rise_k: 8, humid_pct: 85, dry_pct: 60 },
    ],
  ])('takes as much water over a day %s as lysimeters found under plastic', (_when, given) => {
    const { day, noon_w_m2, from_h, hours, night_c, rise_k, humid_pct, dry_pct } = given;
    let [crop_mm, sun_mm] = [0, 0];
    for (let hour = 0; hour < 24; hour += 0.1) {
      const sun = Math.max(0, Math.sin((Math.PI * (hour - from_h)) / hours)) * (hour < from_h + hours ? 1 : 0);
      const air = {
        temp_c: night_c + rise_k * sun,
        humidity_pct: humid_pct - (humid_pct - dry_pct) * sun,
        radiation_w_m2: noon_w_m2 * sun,
        leaf_area_index: 2.88,
        co2_ppm: 400,
      };
      crop_mm += cropTranspiration(air).mm_h * 0.1;
      sun_mm += (air.radiation_w_m2 * 360) / 2.45e6;
    }
    const measured_mm = (0.288 + 0.0019 * day) * sun_mm;
    expect(Math.abs(crop_mm / measured_mm - 1)).toBeLessThan(0.2);
    if (day === 195) expect(Math.abs(crop_mm - 4)).toBeLessThan(0.8);
  });

  it('grows with light, leaves and dry air, and is nothing in damp dark air', () => {
    const mm_h = (changes: Partial<CropAir>): number => cropTranspiration({ ...noon, ...changes }).mm_h;
    expect(mm_h({ radiation_w_m2: 700 })).toBeGreaterThan(mm_h({}));
    expect(mm_h({ leaf_area_index: 4 })).toBeGreaterThan(mm_h({}));
    expect(mm_h({ humidity_pct: 60 })).toBeGreaterThan(mm_h({}));
    expect(mm_h({ radiation_w_m2: 0, humidity_pct: 100 })).toBeCloseTo(0, 6);
    expect(mm_h({ radiation_w_m2: 0 })).toBeLessThan(0.2 * mm_h({}));
  });
});

describe('radiation outside the air', () => {
  // FAO-56, example 19: 1 October, N'Diaye, 16.22 N 16.25 W, between 14 and 15 h of the zone at 15 W: 3.543 MJ/m2h, and
  // 0.923 of a clear sky.
  const [at_ms, place] = [Date.UTC(2026, 9, 1, 15, 30), { lat: 16.22, lng: -16.25 }];

  it('is that of the published example', () => {
    const apart = (found: number | null, published: number): number => Math.abs((found ?? 0) / published - 1);
    // The declination of FAO-56, eq. 24, is up to a degree off that of the real sun.
    expect(apart(extraterrestrial_w_m2(at_ms, place) * 0.0036, 3.543)).toBeLessThan(0.02);
    expect(apart(clearnessOf(2.45 / 0.0036, { at_ms, place, elevation_m: 8 }), 0.923)).toBeLessThan(0.02);
  });

  it('tells no clearness of a sun that is low or down', () => {
    for (const hour of [19.2, 22, 2])
      expect(clearnessOf(50, { at_ms: Date.UTC(2026, 9, 1) + hour * 3.6e6, place, elevation_m: 8 })).toBeNull();
  });
});

describe('dosing', () => {
  const settings: DosingSettings = {
    target: 5.8,
    tolerance: 0.1,
    raise_ml: 10,
    lower_ml: 10,
    mixing_s: 300,
    lock_s: 3600,
    daily_ml: 100,
    least_reaction: 0.05,
    doses_to_react: 3,
    plausible: { least: 3, most: 10 },
  };

  const alone = { unit: 'pH', others: [] };

  /** What is done of readings ten minutes apart. */
  function run(readings: readonly (number | null)[], every_s = 600, given: Partial<DosingSettings> = {}): string[] {
    let state: DosingState = restingDosing;
    return readings.map((reading, index) => {
      const step = dosingStep(
        state,
        { ...settings, ...given },
        {
          now_ms: 1e12 + index * every_s * 1000,
          reading,
          unit: 'pH',
          others: [],
        },
      );
      state = JSON.parse(JSON.stringify(step.state)) as DosingState;
      return step.dose?.side ?? step.rest ?? '';
    });
  }

  it.each<[string, (number | null)[], string[]]>([
    ['doses until the reading is there', [6.4, 6.2, 5.95, 5.85], ['lower', 'lower', 'lower', 'in_range']],
    ['never doses by a missing or absurd reading', [null, NaN, 14, 0], ['missing', 'missing', 'missing', 'missing']],
    [
      'stops for good where nothing reacts',
      [6.4, 6.4, 6.39, 6.4, 5.8, 6.4],
      ['lower', 'lower', 'lower', 'no_reaction', 'no_reaction', 'no_reaction'],
    ],
    [
      'locks acid and base against each other',
      [6.4, 5.2, 5.2, 5.2, 5.2, 5.2, 5.2],
      ['lower', 'locked', 'locked', 'locked', 'locked', 'locked', 'raise'],
    ],
  ])('%s', (_what, readings, expected) => {
    expect(run(readings)).toEqual(expected);
  });

  it('waits until a dose is mixed in, and has no more than a day may have', () => {
    expect(run([6.4, 6.3, 6.2, 6.1], 100)).toEqual(['lower', 'mixing', 'mixing', 'lower']);
    expect(run([9, 8, 7, 6.5], 600, { daily_ml: 25 })).toEqual(['lower', 'lower', 'daily_cap', 'daily_cap']);
    expect(run([5], 600, { raise_ml: null })).toEqual(['no_pump']);
  });

  it('does not dose while the clock stands before its last dose', () => {
    const { state } = dosingStep(restingDosing, settings, { now_ms: 1e12, reading: 7, ...alone });
    expect(dosingStep(state, settings, { now_ms: 1e12 - 3_600_000, reading: 7, ...alone }).rest).toBe('clock');
  });

  const dose = { at_ms: 1e12, side: 'raise', unit: 'pH', mixing_s: 600, lock_s: 7200 } as const;

  it.each([
    ['waits until what another gave is mixed in, by its longer time', 599, dose, 'mixing'],
    ['is locked by what another gave against it, by its longer lock', 7199, dose, 'locked'],
    ['doses when both are over', 7200, dose, null],
    ['doses beside one of the same side once that is mixed in', 601, { ...dose, side: 'lower' as const }, null],
    ['is not locked by one of another quantity', 601, { ...dose, unit: 'dS/m' }, null],
    ['rests while the clock stands before what another gave', -1, dose, 'clock'],
  ])('%s', (_what, after_s, other, expected) => {
    const look = { now_ms: 1e12 + after_s * 1000, reading: 7, unit: 'pH', others: [other] };
    const step = dosingStep(restingDosing, settings, look);
    expect(step.rest).toBe(expected);
    expect(step.dose === null).toBe(expected !== null);
    if (expected === 'locked') expect(step.wait).toEqual({ rest: 'locked', since_ms: 1e12, until_ms: 1e12 + 7.2e6 });
  });

  it('cannot hurt, whatever the readings and times are', () => {
    const look = fc.record({
      reading: fc.oneof(fc.double({ min: 0, max: 14 }), fc.constant(null)),
      wait_s: fc.integer({ min: -4_000, max: 4_000 }),
    });
    fc.assert(
      fc.property(fc.array(look, { maxLength: 60 }), (looks) => {
        let [state, now_ms, lastSide, last_ms]: [DosingState, number, string, number] = [restingDosing, 1e12, '', 0];
        for (const { reading, wait_s } of looks) {
          now_ms += wait_s * 1000;
          const step = dosingStep(state, settings, { now_ms, reading, ...alone });
          state = step.state;
          expect(Math.max(givenBy(state.doses, 'raise'), givenBy(state.doses, 'lower'))).toBeLessThanOrEqual(100);
          if (step.dose === null) continue;
          expect(now_ms - last_ms).toBeGreaterThanOrEqual(300_000);
          if (lastSide !== '' && lastSide !== step.dose.side)
            expect(now_ms - last_ms).toBeGreaterThanOrEqual(3_600_000);
          [lastSide, last_ms] = [step.dose.side, now_ms];
        }
      }),
    );
  });
});

const c = (value: number): Quantity => ({ value, unit: 'C' });
const deg = (value: number): Quantity => ({ value, unit: 'deg' });

describe('what is worked out of measurements', () => {
  it.each<[string, Quantity | null, number | null]>([
    ['the mean', average([c(18), c(22)], 2), 20],
    ['the mean of those that are there', average([c(18), null, c(22)], 2), 20],
    ['no mean of too few', average([c(18), null, c(22)], 3), null],
    ['a mean of directions about north', average([deg(350), deg(30)], 2), 10],
    ['no mean of directions that cancel', average([deg(0), deg(180)], 2), null],
    ['a sum', sum([c(1), c(2), c(3.5)]), 6.5],
    ['no sum without one of them', sum([c(1), null]), null],
    ['a difference', difference(c(5), c(7)), -2],
    ['no difference from nothing', difference(c(5), null), null],
    [
      'no mean, sum or difference of two units',
      average([c(1), deg(3)], 2) ?? sum([c(1), deg(3)]) ?? difference(c(1), deg(3)),
      null,
    ],
    ['the first that is good', redundancy([null, c(3), c(4)], (one) => one), 3],
    ['none where none is good', redundancy([null, null], (one) => one), null],
    // ASHRAE's values of air at 25 C and 60 %.
    ['vapour pressure deficit', ofAir('vpd', c(25), c(60)), 1.2677],
    ['dew point', ofAir('dew_point', c(25), c(60)), 16.701],
    ['wet bulb', ofAir('wet_bulb', c(25), c(60)), 19.471],
    ['how far a leaf is above the dew point', dewMargin(c(18), c(25), c(60)), 1.299],
    ['no margin of a leaf that nobody measures', dewMargin(null, c(25), c(60)), null],
    ['no dew point of dry air', ofAir('dew_point', c(25), c(0)), null],
    ['nothing of a humidity that cannot be', ofAir('vpd', c(25), c(130)), null],
  ])('%s', (_what, found, expected) => {
    if (expected === null) expect(found).toBeNull();
    else expect(Math.abs((found?.value ?? NaN) - expected)).toBeLessThan(0.005);
  });
});

it('a bang-bang never switches back before the measurement is beyond a level', () => {
  const settings = { setpoint: 20, hysteresis: 1 };
  fc.assert(
    fc.property(
      fc.constantFrom('raise', 'lower'),
      fc.array(fc.double({ min: 15, max: 25, noNaN: true })),
      (direction, values) => {
        let isOn = false;
        for (const value of values) {
          const next = bangBang(isOn, { ...settings, direction }, value);
          if (next !== isOn) expect(Math.abs(value - 20)).toBeGreaterThan(1);
          if (Math.abs(value - 20) > 1) expect(next).toBe(value < 20 === (direction === 'raise'));
          isOn = next;
        }
      },
    ),
  );
});

describe('statistics of a window', () => {
  const windowMs = 120_000;
  const over = (readings: readonly number[], everyMs = 1_000): Part[] =>
    readings.reduce<Part[]>(
      (window, value, index) => withReading(window, { at_ms: 1e12 + index * everyMs, value, window_ms: windowMs }),
      [],
    );

  it('are those of the readings in it (two passes over them)', () => {
    const value = fc.double({ min: -100, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.array(value, { minLength: 2, maxLength: 100 }), (readings) => {
        const mean = readings.reduce((all, one) => all + one, 0) / readings.length;
        const squares = readings.reduce((all, one) => all + (one - mean) ** 2, 0);
        const found = statisticsOf(over(readings));
        expect(found?.mean).toBeCloseTo(mean, 8);
        expect(found?.deviation).toBeCloseTo(Math.sqrt(squares / (readings.length - 1)), 6);
        expect([found?.least, found?.most]).toEqual([Math.min(...readings), Math.max(...readings)]);
      }),
    );
  });

  it('leave what is older, keep no more than their parts, and have no deviation of one', () => {
    const window = over([...Array<number>(500).fill(90), ...Array<number>(130).fill(10)]);
    expect(statisticsOf(window)).toEqual({ mean: 10, least: 10, most: 10, deviation: 0 });
    expect(window.length).toBeLessThanOrEqual(121);
    expect(statisticsOf(over([5]))).toEqual({ mean: 5, least: 5, most: 5, deviation: null });
    expect(statisticsOf([])).toBeNull();
  });

  it('forget what a clock that was set back leaves ahead', () => {
    const window = withReading(over([1, 2, 3]), { at_ms: 1e12 - 3_600_000, value: 9, window_ms: windowMs });
    expect(statisticsOf(window)?.mean).toBe(9);
  });
});
