// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import BandBar from '../../../../../renderer/features/house/BandBar.vue';
import { bandOf, setBandOf } from '../../../../../renderer/features/house/bands.ts';
import type { ClimateLoopLive } from '../../../../../server/contract/climate-live.ts';
import { mounted } from '../../ui/mounted.ts';

const loop = (
  name: ClimateLoopLive['loop'],
  { code = 'no_sensor', ...numbers }: { target: number; measured: number; code?: ClimateLoopLive['cause']['code'] },
): ClimateLoopLive => ({ loop: name, ...numbers, demand_pct: 0, limits: [], cause: { code, values: {} } });

const heating = loop('heating', { target: 18, measured: 20 });
const humidity = loop('humidity', { target: 80, measured: 70 });
const co2 = (code: ClimateLoopLive['cause']['code']) => loop('co2', { target: 800, measured: 600, code });
const setBand = (...loops: ClimateLoopLive[]) => setBandOf({ setpoints: null, loops });

describe('what a program controls to', () => {
  it('is of humidity the most, and of the deficit the least that this leaves at the present temperature', () => {
    const set = setBand(heating, humidity);
    expect(set.indoor_humidity).toEqual([-Infinity, 80]);
    // A fifth of the saturation pressure at 20 C, 2.339 kPa (Allen et al. 1998, FAO 56, annex 2).
    expect(set.vpd?.[0]).toBeCloseTo(0.468, 2);
    expect(setBand(humidity).vpd).toBeUndefined();
  });

  it('is of CO2 its target while it is given, and nothing in the dark', () => {
    expect(setBand(co2('co2_dose')).indoor_co2).toEqual([800, Infinity]);
    expect(setBand(co2('co2_reached')).indoor_co2).toEqual([800, Infinity]);
    expect(setBand(co2('co2_dark')).indoor_co2).toBeUndefined();
  });

  it('replaces the usual range, and is named as what it is', () => {
    const set = setBand(heating, humidity, co2('co2_dose'));
    const said = (name: 'indoor_humidity' | 'indoor_co2', unit: string): string =>
      mounted(BandBar, { props: { band: bandOf(name, undefined, set), value: 900, unit } }).text();
    expect(said('indoor_humidity', '%')).toMatch(/^set to at most 80\s%.* above setpoint$/);
    expect(said('indoor_co2', 'ppm')).toMatch(/^set to at least 800\sppm$/);
    expect(bandOf('indoor_temp', undefined, set)?.usual).toEqual([15, 30]);
  });

  it.each([
    [18.46, undefined, 18.5, undefined],
    [18.44, undefined, 18.5, 'below'],
    [18.46, 0.01, 18.5, 'below'],
    [18.6, 1, 18.5, undefined],
    [23.54, undefined, 18.5, undefined],
    [23.56, undefined, 18.5, 'above'],
  ])(
    'judges %d C of a sensor with steps of %s against %d C by the numbers that are read: %s',
    (value, resolution, least, said) => {
      const band = { scale: [0, 45], usual: [least, 23.5], isSet: true };
      const text = mounted(BandBar, { props: { band, value, unit: 'C', resolution } }).text();
      expect(text).toMatch(said === undefined ? /^set 18\.5 to 23\.5\s°C$/ : new RegExp(`· ${said} setpoint$`));
    },
  );
});
