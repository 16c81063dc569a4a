import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWeatherCsv } from '../../../../server/domain/climate/weather-file.ts';
import { looking, pctOf, whyOf } from '../../../support/climate-looks.ts';
import { programOf, runClimate, type Looked } from '../../../support/climate-run.ts';

const weather = readFileSync(join(import.meta.dirname, '../../../fixtures/weather/chicago-tmy3.csv'), 'utf8');

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

describe('vents on a mild day', () => {
  it.each([
    ['4 May', 123],
    ['5 August', 216],
    ['25 September', 267],
  ])('follow the sun and do not open and shut by turns: three days from %s', (_date, day) => {
    const year = readWeatherCsv(weather, { utc_offset_h: -6 });
    const { seen, looked } = turning();
    const from_ms = Date.UTC(2026, 0, 1, 6) + day * 86_400_000;
    runClimate({ program: programOf(), year, from_ms, days: 3, looked });
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

  it('open by small steps near closed and by the smallest move of the program beyond it', () => {
    const { look } = looking({ ventilation: { ...programOf().ventilation, integral_min: null } });
    const at = (temp_c: number) => pctOf(look({ temp_c, outdoor_c: 20, wind_m_s: 0 }, 600), 'roof_vent');
    // A band of 4 K: 25 % each K.
    expect([at(23.04), at(23.12), at(23.3), at(23.5), at(23.8), at(24)]).toEqual(
      [0, 3, 7.5, 12.5, 12.5, 25].map((pct) => expect.closeTo(pct, 6) as number),
    );
  });
});
