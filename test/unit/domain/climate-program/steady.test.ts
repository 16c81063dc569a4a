import { describe, expect, it } from 'vitest';
import { looking, pctOf, whyOf } from '../../../support/climate-looks.ts';
import { modelHouse, programOf, runClimate, type Looked } from '../../../support/climate-run.ts';
import { yearSite } from '../../../support/climate-sites.ts';

const site = yearSite();
const dayMs = 86_400_000;

/** Moves of the roof vent that undo the one before within a quarter of an hour. */
function turning() {
  const seen = { turns: 0, moves: 0 };
  let stands_pct = 0;
  let last: { rises: boolean; at_ms: number } | undefined;
  const looked = ({ at_ms, positions_pct }: Looked): void => {
    const pct = positions_pct['roof_vent'] ?? 0;
    if (Math.abs(pct - stands_pct) < 0.01) return;
    const rises = pct > stands_pct;
    seen.moves += 1;
    if (last !== undefined && last.rises !== rises && at_ms - last.at_ms <= 15 * 60_000) seen.turns += 1;
    last = { rises, at_ms };
    stands_pct = pct;
  };
  return { seen, looked };
}

describe('exhaust fans', () => {
  const fansOnly = {
    ...modelHouse,
    actuators: modelHouse.actuators.filter(({ role }) => role !== 'roof_vent' && role !== 'side_vent'),
  };

  it('run and rest for as long as vents pause, and stop where heat may come', () => {
    const { look } = looking({}, fansOnly);
    const at = (temp_c: number, after_s = 60) => pctOf(look({ temp_c, outdoor_c: 10 }, after_s), 'fan');
    // 23 C is the ventilation setpoint, 22 C where heat may come again.
    expect([at(23.1), at(22.2), at(21.9), at(23.1), at(23.1, 240)]).toEqual([100, 100, 0, 0, 100]);
  });

  it('stand still where a storm has shut the vents that let air in', () => {
    const { look, settle } = looking();
    const hot = { temp_c: 35, outdoor_c: 20 };
    expect(pctOf(settle(hot, 10), 'fan')).toBe(100);
    const storm = look({ ...hot, wind_m_s: 18 });
    expect([pctOf(storm, 'roof_vent'), pctOf(storm, 'fan'), whyOf(storm, 'fan')]).toEqual([0, 0, 'fan_shut']);
    // They run on where nobody knows the wind: that may last all summer.
    const lost = looking();
    const unknown = lost.settle({ ...hot, wind_m_s: null }, 10);
    expect([pctOf(unknown, 'roof_vent'), pctOf(unknown, 'fan')]).toEqual([0, 100]);
    const switched = modelHouse.actuators.map((one) =>
      one.role === 'roof_vent' || one.role === 'side_vent' ? { ...one, kind: 'switch' as const } : one,
    );
    const rainy = looking({}, { ...modelHouse, actuators: switched }).settle({ ...hot, rain: 1 }, 10);
    expect([pctOf(rainy, 'roof_vent'), pctOf(rainy, 'fan')]).toEqual([0, 0]);
    const alone = looking({}, fansOnly);
    expect(pctOf(alone.look({ ...hot, wind_m_s: 18 }), 'fan')).toBe(100);
  });

  it('blow no CO2 out', () => {
    const { look } = looking({}, fansOnly);
    const day = { outdoor_c: 10, co2_ppm: 400 };
    const still = look({ ...day, temp_c: 20 });
    expect([pctOf(still, 'fan'), pctOf(still, 'co2')]).toEqual([0, 100]);
    const blown = look({ ...day, temp_c: 24 });
    expect([pctOf(blown, 'fan'), pctOf(blown, 'co2'), whyOf(blown, 'co2')]).toEqual([100, 0, 'co2_fans']);
    const byHand = look({ ...day, temp_c: 20, stands_pct: { fan: 100 } }, 600);
    expect([pctOf(byHand, 'fan'), whyOf(byHand, 'co2')]).toEqual([0, 'co2_fans']);
  });

  it('do not hunt over three mild days of a house without vents', () => {
    const from_ms = site.january_ms + 123 * dayMs;
    let moved: number[] = [];
    let most = 0;
    let wasOn = false;
    const dosed: number[] = [];
    runClimate({
      program: programOf(),
      site,
      from_ms,
      days: 3,
      house: fansOnly,
      looked: ({ at_ms, positions_pct }) => {
        const isOn = (positions_pct['fan'] ?? 0) > 0;
        if (isOn && (positions_pct['co2'] ?? 0) > 0) dosed.push(at_ms);
        if (isOn !== wasOn) moved = [...moved, at_ms].filter((one) => one > at_ms - 3_600_000);
        most = Math.max(most, moved.length);
        wasOn = isOn;
      },
    });
    expect(dosed).toEqual([]);
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(8);
  });
});

it('counts no CO2 and no lamps that a person or an interlock holds off', () => {
  const lamps = { ...programOf().lamps, is_on: true };
  const { settle } = looking({ lamps });
  const dull = { temp_c: 20, co2_ppm: 400, radiation_w_m2: 60 };
  const held = settle({ ...dull, stands_pct: { co2: 0, lighting: 0 } }, 31);
  expect([pctOf(held, 'co2'), pctOf(held, 'lighting')]).toEqual([100, 100]);
  expect([held.sums.co2_h, held.sums.lamps_h]).toEqual([0, 0]);
  const given = settle({ ...dull, stands_pct: { co2: 100, lighting: 100 } }, 30);
  expect([given.sums.co2_h, given.sums.lamps_h]).toEqual([expect.closeTo(0.5, 2), expect.closeTo(0.5, 2)]);
});

describe('CO2', () => {
  const dim = { temp_c: 20, co2_ppm: 400 };

  it.each([
    ['open', { other: 100 }, 'co2_vents'],
    ['of unknown position', { other: null }, 'co2_unknown'],
    ['shut', { other: 0 }, 'co2_dose'],
  ])('counts a vent that the program does not drive: %s', (_, stands_pct, why) => {
    const actuators = modelHouse.actuators.filter(({ role }) => role !== 'roof_vent' && role !== 'side_vent');
    const { look } = looking({}, { ...modelHouse, actuators, others: [{ key: 'other', role: 'roof_vent' }] });
    expect(whyOf(look({ ...dim, stands_pct }), 'co2')).toBe(why);
  });

  it.each([
    ['in full from its threshold on', null, 80],
    ['in full from much sun on', 300, 600],
  ])('is not switched by passing clouds, but goes off with the sun: %s', (_, light_full_w_m2, bright_w_m2) => {
    const { look } = looking({ co2: { ...programOf().co2, light_full_w_m2 } });
    let moves = 0;
    let before = pctOf(look({ ...dim, co2_ppm: 401 }), 'co2');
    for (let minute = 0; minute < 60; minute += 1) {
      // The reading moves as that of a living sensor does.
      const radiation_w_m2 = minute % 6 < 3 ? 20 : bright_w_m2;
      const now = pctOf(look({ ...dim, co2_ppm: 400 + (minute % 2), radiation_w_m2 }), 'co2');
      if (now !== before) moves += 1;
      before = now;
    }
    expect([before, moves]).toEqual([100, 0]);
    for (let minute = 0; minute < 6; minute += 1) before = pctOf(look({ ...dim, radiation_w_m2: 10 }), 'co2');
    expect(before).toBe(0);
  });

  it('says nothing of a stuck sensor that was taken out, or whose CO2 is switched off', () => {
    const { settle, change } = looking();
    settle(dim, 130);
    change(({ co2 }) => ({ co2: { ...co2, is_on: false } }));
    expect(settle(dim, 5).fallbacks).toEqual([]);
    const without = looking();
    without.settle(dim, 130);
    expect(without.settle({ ...dim, co2_ppm: null }, 5).fallbacks).toEqual(['no_co2']);
  });

  it('is not dosed for ever by a sensor that is stuck, and goes on when it moves', () => {
    const { look, settle } = looking();
    expect(whyOf(settle(dim, 110), 'co2')).toBe('co2_dose');
    const stuck = settle(dim, 20);
    expect([pctOf(stuck, 'co2'), whyOf(stuck, 'co2'), stuck.fallbacks]).toEqual([0, 'co2_stuck', ['co2_stuck']]);
    const moved = look({ ...dim, co2_ppm: 405 });
    expect([pctOf(moved, 'co2'), moved.fallbacks]).toEqual([100, []]);
  });
});

describe('humidity that swings about its setpoint', () => {
  const screen = { key: 'screen', role: 'thermal_curtain', kind: 'dimmer', azimuth_deg: null } as const;

  it.each([
    ['vents', 'roof_vent', { temp_c: 20, outdoor_c: 10 }],
    ['the gap of a screen', 'screen', { temp_c: 17, outdoor_c: -5, radiation_w_m2: 0 }],
  ])('moves %s a few times an hour at most', (_, key, air) => {
    const { look } = looking({}, { ...modelHouse, actuators: [...modelHouse.actuators, screen] });
    for (let minute = 0; minute < 60; minute += 1) look({ ...air, humidity_pct: 89 });
    let moves = 0;
    let before = pctOf(look({ ...air, humidity_pct: 89 }), key);
    for (let minute = 0; minute < 240; minute += 1) {
      const humidity_pct = 88.5 + 1.5 * Math.sin((2 * Math.PI * minute) / 10);
      const now = pctOf(look({ ...air, humidity_pct }), key);
      if (now !== before) moves += 1;
      before = now;
    }
    expect(moves / 4).toBeLessThanOrEqual(1);
  });
});

it.each([
  ['noise of the air', 'humidity', [70, 90], (n: number) => ({ humidity_pct: 80 + 0.4 * Math.sin(n / 7) })],
  ['a rising sun', 'radiation', [0, 800], (n: number) => ({ radiation_w_m2: 100 + n })],
] as const)('a minimum of the vents that follows %s moves them by steps worth a move', (_, source, x, air) => {
  const influence = { ...({ on: 'vent_min_pct', source } as const), from_x: x[0], to_x: x[1], from_y: 0, to_y: 20 };
  const { look } = looking({ influences: [influence] });
  const stands = Array.from({ length: 480 }, (_none, n) => pctOf(look({ ...air(n) }, 30), 'roof_vent') ?? NaN).slice(
    20,
  );
  const moves = stands.flatMap((pct, n) =>
    n > 0 && pct !== stands[n - 1] ? [Math.abs(pct - (stands[n - 1] ?? 0))] : [],
  );
  expect(moves.length).toBeLessThanOrEqual(7);
  expect(Math.min(2, ...moves)).toBe(2);
});

it.each([
  [11, 20],
  [20, 11],
  [30, 39],
])('a minimum of the vents that goes from %i to %i %% is reached', (from, to) => {
  const { settle, change } = looking({
    overrides: [{ on: 'vent_min_pct', value: from, until: '2030-01-01T00:00:00Z' }],
  });
  expect(pctOf(settle({}, 20), 'roof_vent')).toBe(from);
  change(() => ({ overrides: [{ on: 'vent_min_pct', value: to, until: '2030-01-01T00:00:00Z' }] }));
  expect(pctOf(settle({}, 20), 'roof_vent')).toBe(to);
});

it('humidity about the cold that shuts vents does not move them to and fro', () => {
  const humidity = { ...programOf().humidity, vent_most_pct: 30, vent_pct_per_pct: 4 };
  const { look } = looking({ humidity });
  const air = (n: number) => ({ temp_c: 17.5 + 0.25 * Math.sin(n / 10), humidity_pct: 97, outdoor_c: 5 });
  const stands = Array.from({ length: 480 }, (_none, n) => pctOf(look(air(n), 30), 'roof_vent'));
  expect(stands.slice(60).filter((pct, n) => pct !== stands[n + 59]).length).toBeLessThanOrEqual(2);
});

it('an energy screen that closes in air that is dry enough leaves no gap', () => {
  const screen = { key: 'screen', role: 'thermal_curtain', kind: 'dimmer', azimuth_deg: null } as const;
  const { settle } = looking({}, { ...modelHouse, actuators: [...modelHouse.actuators, screen] });
  const cold = { temp_c: 17, outdoor_c: -5, humidity_pct: 87 };
  settle({ ...cold, radiation_w_m2: 500 }, 60);
  expect(pctOf(settle({ ...cold, radiation_w_m2: 0 }, 60), 'screen')).toBe(100);
});

it('the energy screen opens where the house is to be ventilated, and says so', () => {
  const screen = { key: 'screen', role: 'thermal_curtain', kind: 'dimmer', azimuth_deg: null } as const;
  const { settle } = looking({}, { ...modelHouse, actuators: [...modelHouse.actuators, screen] });
  const dusk = { outdoor_c: 5, radiation_w_m2: 0 };
  expect(pctOf(settle({ ...dusk, temp_c: 17 }, 60), 'screen')).toBe(100);
  const warm = settle({ ...dusk, temp_c: 26 }, 120);
  expect([pctOf(warm, 'screen'), whyOf(warm, 'screen')]).toEqual([0, 'screen_warm']);
});

describe('a clock that is set back', () => {
  const warm = { temp_c: 30, outdoor_c: 20 };

  it('holds nothing until it has caught up: vents shut by a storm open, a heater goes off', () => {
    const { look, settle } = looking();
    settle({ temp_c: 10, outdoor_c: 0 });
    look({ ...warm, wind_m_s: 18 });
    look(warm, -7200);
    const step = settle(warm, 10);
    expect(pctOf(step, 'roof_vent')).toBeGreaterThan(50);
    expect(pctOf(step, 'heater')).toBe(0);
  });

  it('keeps the rest of a fan', () => {
    const { look } = looking();
    look({ temp_c: 26, outdoor_c: 20 });
    expect(pctOf(look({ temp_c: 24, outdoor_c: 20 }, -7200), 'fan')).toBe(100);
    expect(pctOf(look({ temp_c: 23.9, outdoor_c: 20 }, 300), 'fan')).toBe(0);
  });
});

describe('vents on a mild day', () => {
  it.each([
    ['4 May', 123],
    ['5 August', 216],
    ['25 September', 267],
  ])('follow the sun and do not open and shut by turns: three days from %s', (_date, day) => {
    const { seen, looked } = turning();
    const from_ms = site.january_ms + day * dayMs;
    runClimate({ program: programOf(), site, from_ms, days: 3, looked });
    expect(seen.moves).toBeGreaterThan(20);
    expect(seen.turns).toBeLessThanOrEqual(6);
  });

  it('stay open in the air that their own opening cools, until heat may come again, and say so', () => {
    const { look, settle } = looking();
    const at = (temp_c: number) => ({ temp_c, outdoor_c: 20 });
    // 23 C is the ventilation setpoint, 19 C that of heating.
    const open_pct = pctOf(look(at(23.3)), 'roof_vent');
    expect(open_pct).toBeGreaterThan(5);
    const cooled = look(at(22.4), 600);
    expect([pctOf(cooled, 'roof_vent'), whyOf(cooled, 'roof_vent')]).toEqual([open_pct, 'vent_until']);
    const cause = cooled.demands.find(({ key }) => key === 'roof_vent')?.cause;
    expect(cause?.values).toMatchObject({ measured_c: 22.4, shut_c: 22 });
    const shut = settle(at(21.9), 10);
    expect([pctOf(shut, 'roof_vent'), whyOf(shut, 'roof_vent')]).toEqual([0, 'vent_closed']);
  });

  it('opened for humidity are shut when the air is dry, for warmth keeps nothing that it did not open', () => {
    const { settle } = looking();
    // Below 23 C nothing is opened for warmth; between 22 and 23 C what is open for it stays.
    const at = (humidity_pct: number) => settle({ temp_c: 22.5, humidity_pct, outdoor_c: 20 }, 20);
    expect(pctOf(at(93), 'roof_vent')).toBe(5);
    const dry = at(60);
    expect([pctOf(dry, 'roof_vent'), whyOf(dry, 'roof_vent')]).toEqual([0, 'vent_closed']);
  });

  it('of the wind side say at what temperature they shut: later opened, sooner shut', () => {
    const { look } = looking({ ventilation: { ...programOf().ventilation, integral_min: null } });
    const windy = { outdoor_c: 20, wind_dir_deg: 90, wind_m_s: 4 };
    look({ ...windy, temp_c: 25 });
    const step = look({ ...windy, temp_c: 24 }, 600);
    const said = ['roof_vent', 'side_vent'].map((key) => step.demands.find((one) => one.key === key)?.cause);
    expect(said).toMatchObject([
      { code: 'vent_until', values: { shut_c: 22 } },
      { code: 'vent_until', values: { shut_c: 23 } },
    ]);
  });

  it('say where they are sent, and not what they would be sent to after their pause', () => {
    const { look } = looking();
    const first = pctOf(look({ temp_c: 24, outdoor_c: 20 }), 'roof_vent') ?? NaN;
    const step = look({ temp_c: 25.5, outdoor_c: 20 });
    const cause = step.demands.find(({ key }) => key === 'roof_vent')?.cause;
    expect(cause).toMatchObject({ code: 'vent_excess', values: { demand_pct: expect.closeTo(first, 1) as number } });
  });

  it('open by small steps near closed and by the smallest move of the program beyond it', () => {
    const { look } = looking({ ventilation: { ...programOf().ventilation, integral_min: null } });
    const at = (temp_c: number) => pctOf(look({ temp_c, outdoor_c: 20, wind_m_s: 0 }, 600), 'roof_vent');
    // A band of 4 K: 25 % each K.
    expect([at(23.04), at(23.12), at(23.3), at(23.5), at(23.8), at(24)]).toEqual(
      [0, 3, 7.5, 12.5, 12.5, 25].map((pct) => expect.closeTo(pct, 6) as number),
    );
  });
});
