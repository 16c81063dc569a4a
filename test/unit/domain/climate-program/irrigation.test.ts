import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ClimateStep } from '../../../../server/domain/climate-program/program.ts';
import { programOf } from '../../../support/climate-run.ts';
import { at, look_s, sunny_w_m2, watering } from '../../../support/watering.ts';

const whyOf = ({ loops }: ClimateStep) => loops.find(({ loop }) => loop === 'irrigation')?.cause.code;

describe('irrigation', () => {
  it('waters by the sum of the sun, one valve after the other under the pump, each what its area needs', () => {
    const site = watering({ most_rest_min: null });
    // 100 J/cm2 at 600 W/m2 are 1,667 s.
    site.for(27);
    expect(site.shots()).toBe(0);
    let most = 0;
    for (let n = 0; n < 20; n += 1) {
      const { demands } = site.look();
      most = Math.max(most, demands.filter(({ key, pct }) => key !== 'pump' && pct === 100).length);
    }
    expect([site.shots(), most]).toEqual([1, 1]);
    expect(site.given_s).toEqual({ east: 108, west: 108, pump: 216 });
    expect(site.look().sums).toMatchObject({ shots: 1, water_l_m2: expect.closeTo(0.3, 6) as number });
  });

  it('keeps its rest, waters after the longest, and outside its window not at all', () => {
    const rested = watering({ sum_j_cm2: 10 });
    expect(whyOf(rested.for(1))).toBe('irrigate_rest');
    rested.for(60);
    expect(rested.shots()).toBe(4); // every 15 min: the sun alone would ask for one every 3
    const dark = watering({ most_rest_min: 30, least_rest_min: 15 }, '08:00');
    dark.for(65, { radiation_w_m2: 0 });
    expect(dark.shots()).toBe(2);
    const late = watering({ most_rest_min: 30 }, '17:40');
    expect(whyOf(late.for(90))).toBe('irrigate_window');
    expect(late.shots()).toBe(0);
  });

  it('waters by the clock once, also by night and after a restart, and leaves out what it missed by long', () => {
    const site = watering({ times: ['01:00', '02:30'] }, '00:58');
    site.for(20);
    site.restart();
    site.for(30);
    expect(site.shots()).toBe(1);
    site.now('02:55');
    site.for(10);
    expect(site.shots()).toBe(1);
  });

  it('waters a substrate that is too dry', () => {
    const site = watering({ sum_j_cm2: null, most_rest_min: null, moisture_below_pct: 55 });
    expect(whyOf(site.for(20, { moisture_pct: 60 }))).toBe('irrigate_wait');
    expect(whyOf(site.look({ moisture_pct: 54 }))).toBe('irrigate_moisture');
  });

  it('corrects the sum by the drain, within its bound', () => {
    const site = watering({ drain_target_pct: 20, drain_most_pct: 25, drain_gain: 2, most_rest_min: null });
    site.for(65, { drain_l_h: 0 });
    expect(site.state().irrigation.correction_pct).toBe(-25);
    site.for(120, { drain_l_h: 200 });
    expect(site.state().irrigation.correction_pct).toBe(25);
  });

  it('books what a turn gave that was cut at its longest, and nothing of a valve that is known to be shut', () => {
    const cut = watering({ sum_j_cm2: 10, most_rest_min: null, shot_ml_m2: 3000, most_valve_s: 600 });
    cut.for(16);
    const { turns } = cut.state().irrigation;
    expect(turns.map(({ litres }) => Math.round(litres))).toEqual([333, 333]); // of 600
    const shut = watering({ sum_j_cm2: 10, most_rest_min: null });
    shut.for(30, { stands_pct: { east: 0, west: 0 } });
    expect([shut.shots(), shut.state().today.water_l]).toEqual([1, 0]);
  });

  it('books the end of a turn although the valve has shut before the next look', () => {
    const site = watering({ sum_j_cm2: 10, most_rest_min: null });
    site.for(15);
    for (let n = 0; n < 10; n += 1) {
      const { turns, until_ms = 0 } = { ...site.state().irrigation, ...site.state().irrigation.turns[0] };
      const isOpen = turns.length > 0 && until_ms > (site.state().at_ms ?? 0) + look_s * 1000;
      site.look({ stands_pct: { [turns[0]?.key ?? 'east']: isOpen ? 100 : 0 } });
    }
    expect(site.state().today.water_l).toBeCloseTo(120, 6);
  });

  it('tells a valve again that was blocked or failed, and lengthens its turn by the time that it stayed shut', () => {
    const site = watering({ sum_j_cm2: 10, most_rest_min: null });
    site.for(15.5);
    const [first] = site.state().irrigation.turns;
    const once = () => site.look({ stands_pct: { east: 0 } }).demands.find(({ key }) => key === 'east')?.once;
    const ids = [once(), once(), once()];
    expect(new Set(ids.map((one) => one?.id)).size).toBe(3);
    expect(ids.map((one) => one?.for_s)).toEqual([108, 108, 108]);
    expect(first?.seconds).toBe(108);
    for (let n = 0; n < 8; n += 1) site.look();
    expect([site.shots(), site.state().today.water_l]).toEqual([1, expect.closeTo(120, 6) as number]);
  });

  it('waits for a pump that is blocked, and gives a turn up that cannot be given, with an alarm', () => {
    const site = watering({ sum_j_cm2: 10, most_rest_min: null });
    site.for(15.5);
    const { fallbacks } = site.for(9.5, { stands_pct: { east: 100, west: 100, pump: 0 } });
    expect([fallbacks, site.state().irrigation.turns[0]?.key]).toEqual([[], 'east']);
    expect(site.for(1, { stands_pct: { pump: 0 } }).fallbacks).toEqual(['valve_shut']);
    expect(site.state().today.water_l).toBe(0);
  });

  it('waits for no clock that was set back, and keeps no valve open for it', () => {
    const site = watering({ sum_j_cm2: 10, most_rest_min: null });
    site.for(16);
    expect(site.state().irrigation.turns).toHaveLength(2);
    site.now('09:00');
    const untilMs = site.look().state.irrigation.turns[0]?.until_ms ?? 0;
    expect(untilMs).toBeLessThanOrEqual(at('09:00') + (30 + 108) * 1000);
    site.for(20);
    expect(site.shots()).toBe(2);
  });

  it('begins no shot in a period that forbids it, but those by the clock', () => {
    const [day, night] = programOf().periods;
    const periods = [day, night].flatMap((one) =>
      one === undefined ? [] : [{ ...one, setpoints: { ...one.setpoints, irrigation_allowed: false } }],
    );
    const site = watering({ sum_j_cm2: 10, times: ['10:40'] }, '10:00', periods);
    expect(whyOf(site.for(30))).toBe('irrigate_refused');
    expect(site.shots()).toBe(0);
    site.for(20);
    expect(site.shots()).toBe(1);
  });

  it('counts no shot while no valve is at work, and begins with a rest', () => {
    const site = watering({ is_on: false, sum_j_cm2: 10 });
    const { irrigation } = site.for(60).state;
    expect(site.shots()).toBe(0);
    expect(irrigation.begun_ms).toBe(site.state().at_ms);
    expect(irrigation.sum_j_m2).toBeLessThanOrEqual(30 * sunny_w_m2);
  });

  it('after a stop gives up the valve that ran and goes on with the next, told', () => {
    const site = watering({ most_rest_min: null });
    site.for(28.5); // the first valve has its water, the second not
    expect(site.state().irrigation.turns.map(({ key }) => key)).toEqual(['east', 'west']);
    site.restart();
    site.now('10:40');
    expect(site.for(1).fallbacks).toEqual(['shot_cut']);
    expect(site.state().irrigation.turns.map(({ key }) => key)).toEqual(['west']);
    site.for(4);
    expect([site.given_s['west'], site.shots()]).toEqual([108, 1]);
  });

  it.each([
    ['in the night', '23:50', []],
    ['the next day', '11:00', []],
  ])('after a stop opens no valve of the shot before %s, and tells it', (_, time, open) => {
    const site = watering({ most_rest_min: null, sum_j_cm2: 100 });
    site.for(28.5);
    site.restart();
    site.now(time);
    if (time === '11:00') site.later(24);
    const step = site.look({ radiation_w_m2: 0 });
    expect(step.fallbacks).toEqual(['shot_cut']);
    expect(step.demands.filter(({ pct }) => pct === 100).map(({ key }) => key)).toEqual(open);
  });

  it('goes on after a stop with a shot of the clock, at night too, but not hours later', () => {
    const times = ['02:00'];
    const cut = (minutes: number) => {
      const site = watering({ most_rest_min: null, sum_j_cm2: null, shot_ml_m2: 1500, times }, '01:59');
      site.for(5, { radiation_w_m2: 0 }); // the first of two valves has half of its 540 s
      site.restart();
      site.later(minutes / 60);
      const told = site.for(1, { radiation_w_m2: 0 }).fallbacks;
      site.for(15, { radiation_w_m2: 0 });
      return [told, site.given_s['west'], site.shots()];
    };
    expect(cut(20)).toEqual([['shot_cut'], 540, 1]);
    expect(cut(150)).toEqual([['shot_cut'], 0, 1]);
  });

  it('waters by a clock time that passed during another shot, after it', () => {
    const times = ['10:30', '10:32'];
    const site = watering({ most_rest_min: null, sum_j_cm2: null, shot_ml_m2: 1500, times }, '10:29');
    site.for(50); // 540 s a valve: the second time passes in the first shot, and is 20 min old at its end
    expect(site.shots()).toBe(2);
    expect(site.given_s).toMatchObject({ east: 1080, west: 1080 });
  });

  it('forgets a clock time that passed during a shot which a stop cut, and one of irrigation that is switched off', () => {
    const times = ['10:30', '10:32'];
    const site = watering({ most_rest_min: null, sum_j_cm2: null, shot_ml_m2: 1500, times }, '10:29');
    site.for(5);
    site.restart();
    site.now('23:50');
    site.for(5, { radiation_w_m2: 0 });
    expect([site.shots(), site.state().irrigation.due_ms]).toEqual([1, undefined]);
  });

  it('says no more of a shot that was cut once irrigation is off', () => {
    const site = watering({ most_rest_min: null });
    site.for(28.5);
    site.restart();
    site.now('23:50');
    expect(site.for(1, { radiation_w_m2: 0 }).fallbacks).toEqual(['shot_cut']);
    site.change({ is_on: false });
    expect(site.look().fallbacks).toEqual([]);
  });

  it('tells of a shot for which its valves may not be open long enough', () => {
    expect(watering({ shot_ml_m2: 3000, most_valve_s: 600 }).look().fallbacks).toEqual(['shot_short']);
    expect(watering({ shot_ml_m2: 3000, most_valve_s: 1080 }).look().fallbacks).toEqual([]);
  });

  it('gives no more than the day may have', () => {
    const site = watering({ sum_j_cm2: 10, most_l_m2: 1 });
    expect(whyOf(site.for(180))).toBe('irrigate_most');
    expect(site.shots()).toBe(4);
  });

  it('gives what is due once, whenever the daemon dies', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 239 }), { minLength: 1, maxLength: 12 }), (deaths) => {
        const whole = watering({ most_rest_min: null });
        const torn = watering({ most_rest_min: null });
        for (let n = 0; n < 240; n += 1) {
          whole.look();
          if (deaths.includes(n)) torn.restart(); // it has forgotten what it told the valves, not what it kept
          torn.look();
        }
        expect(torn.shots()).toBe(whole.shots());
        for (const key of ['east', 'west'])
          expect(Math.abs((torn.given_s[key] ?? 0) - (whole.given_s[key] ?? 0))).toBeLessThanOrEqual(1);
      }),
      { numRuns: process.env['TEST_SCALE'] === 'long' ? 1000 : 50 },
    );
  });
});
