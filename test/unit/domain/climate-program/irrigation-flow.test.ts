import { describe, expect, it } from 'vitest';
import type { ClimateStep } from '../../../../server/domain/climate-program/program.ts';
import { look_s, watering } from '../../../support/watering.ts';

describe('the flow of a valve', () => {
  it('tells of drippers that clog so slowly that the learnt flow goes with them', () => {
    const site = watering({ sum_j_cm2: 10, most_rest_min: null, shot_ml_m2: 900, most_l_m2: 100 });
    let l_h = 1900;
    while (l_h > 0 && !site.look({ flows_l_h: { east: l_h, west: 2000 } }).fallbacks.includes('low_flow')) l_h -= 3;
    // Half of its rated 2,000 l/h; 0.7 of what it has learnt would be 700.
    expect(l_h).toBeCloseTo(1000, -2);
  });

  it('keeps telling of too little flow between shots, and until there is clearly enough again', () => {
    const site = watering({ sum_j_cm2: 10, most_rest_min: null, shot_ml_m2: 900, most_l_m2: 100 });
    let [told, changes, n] = [false, 0, 0];
    const flows = (l_h: number): void => {
      const isTold = site.look({ flows_l_h: { east: l_h, west: 2000 } }).fallbacks.includes('low_flow');
      changes += isTold === told ? 0 : 1;
      told = isTold;
    };
    for (; n < 400; n += 1) flows(990 + 25 * Math.sin(n)); // about half of its rating
    expect([told, changes]).toEqual([true, 1]);
    for (; n < 500; n += 1) flows(1900);
    expect([told, changes]).toEqual([false, 2]);
  });

  it('judges also a short shot, where its meter is read while it flows', () => {
    const short = () => watering({ sum_j_cm2: 10, most_rest_min: null, shot_ml_m2: 200 }); // 72 s a valve
    const read = (site: ReturnType<typeof short>, east_l_h: number): ClimateStep => {
      const open = site.state().irrigation.turns[0]?.key;
      const read_ms = site.clock() + (look_s - 5) * 1000;
      const flows_l_h = { east: open === 'east' ? east_l_h : 0, west: open === 'west' ? 2000 : 0 };
      return site.look({ flows_l_h, flows_at_ms: { east: read_ms, west: read_ms } });
    };
    const dry = short();
    const steps = Array.from({ length: 60 }, () => read(dry, 0));
    expect(steps.at(-1)?.fallbacks).toEqual(['no_flow']);
    const sound = short();
    for (let n = 0; n < 240; n += 1) expect(read(sound, 1800).fallbacks).toEqual([]);
  });

  /** What meters make of the flow of a valve, l/h: at once, a minute late, and as the mean of a minute. */
  const meters = {
    instant: (flowing: (ago_s: number) => number) => flowing(0),
    late: (flowing: (ago_s: number) => number) => flowing(60),
    mean: (flowing: (ago_s: number) => number) =>
      Array.from({ length: 60 }, (_, ago_s) => flowing(ago_s)).reduce((sum, one) => sum + one, 0) / 60,
  };
  it.each([
    ['instant', 300, 2],
    ['instant', 900, 7],
    ['mean', 300, 2],
    ['mean', 300, 7],
    ['mean', 900, 5],
    ['late', 900, 2],
  ] as const)(
    'slanders no sound valve whose meter is %s: %i ml/m2, read every ten seconds',
    (kind, shot_ml_m2, phase_s) => {
      const site = watering({ sum_j_cm2: 10, most_rest_min: null, shot_ml_m2 });
      const flowing: Record<string, [from_ms: number, to_ms: number][]> = { east: [], west: [] };
      for (let n = 0; n < 480; n += 1) {
        const read_ms = site.clock() + (look_s - phase_s) * 1000;
        const flowOf = (key: string): number => {
          const at = (ago_s: number): number =>
            flowing[key]?.some(([from, to]) => from < read_ms - ago_s * 1000 && read_ms - ago_s * 1000 <= to)
              ? 2000
              : 0;
          return meters[kind](at);
        };
        const { fallbacks, demands } = site.look({
          flows_l_h: { east: flowOf('east'), west: flowOf('west') },
          flows_at_ms: { east: read_ms, west: read_ms },
        });
        expect(fallbacks).toEqual([]);
        for (const { key, once } of demands)
          if (once && flowing[key]?.at(-1)?.[1] !== Number(once.id))
            flowing[key]?.push([site.clock(), Number(once.id)]);
      }
      const turn_s = (3600 * shot_ml_m2 * 200) / 1000 / 2000;
      expect(site.given_s['east']).toBeGreaterThan(5 * turn_s);
      expect((site.given_s['east'] ?? 0) / turn_s / site.shots()).toBeCloseTo(1, 1);
    },
  );

  it('ends no turn for a reading without flow that is alone, and none for one from while a rule held it shut', () => {
    const site = watering({ sum_j_cm2: 10, most_rest_min: null, shot_ml_m2: 900 });
    site.for(16.5);
    const at = (l_h: number, ago_s = 5) => ({
      flows_l_h: { east: l_h, west: 0 },
      flows_at_ms: { east: site.clock() + (look_s - ago_s) * 1000, west: 0 },
    });
    site.look(at(2000));
    site.look(at(0));
    site.for(2, { ...at(0), stands_pct: { east: 0 } });
    for (let n = 0; n < 4; n += 1) expect(site.look(n === 0 ? at(0, 30) : at(2000)).fallbacks).toEqual([]);
    expect(site.state().irrigation.turns[0]?.key).toBe('east');
  });

  it('counts no water by a reading from before its valve opened', () => {
    const site = watering({ sum_j_cm2: 10, most_rest_min: null });
    const step = site.for(27, { flows_l_h: { east: 0, west: 0 }, flows_at_ms: { east: 0, west: 0 } });
    expect(step.sums.water_l_m2).toBeCloseTo((2 * 60) / 400, 6);
  });

  it('tells that it cannot judge shots in which the meter is never read', () => {
    const site = watering({ sum_j_cm2: 10, most_rest_min: null, shot_ml_m2: 200 });
    const stale = { flows_l_h: { east: 0 }, flows_at_ms: { east: 0 } };
    expect(site.for(60, stale).fallbacks).toEqual([]);
    expect(site.for(60, stale).fallbacks).toEqual(['flow_unseen']);
  });

  it.each([
    ['a valve', 'west', ['east']],
    ['the pump', 'pump', []],
  ])('counts no water that %s whose output is not running cannot give, and tells it', (_, key, open) => {
    const site = watering({ sum_j_cm2: 10, most_rest_min: null });
    site.stop(key);
    const step = site.for(27);
    expect(step.fallbacks).toEqual(['valve_shut']);
    // 60 l of each valve that can.
    expect(step.sums.water_l_m2).toBeCloseTo((60 * open.length) / 400, 6);
    site.stop(null);
    expect(site.for(30).fallbacks).toEqual([]);
  });

  it('keeps telling of a valve that stays shut until it has given a shot', () => {
    const site = watering({ sum_j_cm2: 10, most_rest_min: null });
    const shut = { stands_pct: { east: 0 } };
    expect(site.for(27, shut).fallbacks).toEqual(['valve_shut']);
    for (let n = 0; n < 120; n += 1) expect(site.look(shut).fallbacks).toEqual(['valve_shut']);
    expect(site.for(60).fallbacks).toEqual([]);
  });

  it('shuts a valve without flow, tells too little of it and a leak, and learns what flows', () => {
    const flowing = (flows: Record<string, number>) => ({ flows_l_h: flows });
    const site = watering({ sum_j_cm2: 10, most_rest_min: null, shot_ml_m2: 900 });
    site.for(16, flowing({ east: 0, west: 0 }));
    const { fallbacks } = site.for(6, flowing({ east: 0, west: 1200 }));
    expect(fallbacks).toEqual(['no_flow', 'low_flow']);
    expect(site.given_s['east']).toBeLessThanOrEqual(180); // of 324 s: two readings, a minute old at most, tell none
    const sound = watering({ sum_j_cm2: 10, most_rest_min: null, shot_ml_m2: 900 });
    let step = sound.look();
    for (let n = 0; n < 240; n += 1) {
      const { turns } = sound.state().irrigation;
      step = sound.look(flowing(turns[0] === undefined ? { east: 0 } : { [turns[0].key]: 1800 }));
    }
    expect(step.fallbacks).toEqual([]);
    expect(sound.state().irrigation.flows['east']).toBeCloseTo(1800, -2);
    sound.for(5, { radiation_w_m2: 0 });
    sound.for(12, { radiation_w_m2: 0, ...flowing({ east: 1800, west: 1800 }) }); // what runs ends
    expect(sound.for(5, { radiation_w_m2: 0, ...flowing({ east: 40 }) }).fallbacks).toEqual(['leak']);
  });
});
