import { expect, it } from 'vitest';
import type { Facility, SensorRole } from '../../../../server/contract/facility.ts';
import type { SeriesMeans } from '../../../../server/measurement/reader.ts';
import type { StateInterval } from '../../../../server/domain/analytics/state-time.ts';
import { housePast, type PastActuator } from '../../../../server/services/facility/house-past.ts';

const nowMs = Date.UTC(2026, 3, 14, 12, 7);
const toMs = Date.UTC(2026, 3, 14, 12);
const dayMs = 86_400_000;
const never = new AbortController().signal;

/** A house whose sensors say the same all the time, in these units. */
function housed(units: Partial<Record<SensorRole, string>>): Facility {
  const roles = Object.keys(units) as SensorRole[];
  return {
    unique_id: 'house',
    name: 'House',
    shape_uuid: 'a',
    geo_id: 'a',
    preset: 'greenhouse',
    structure: 'single',
    bay_count: 1,
    actuators: [],
    openings: [],
    curtains: [],
    fans: [],
    notes: '',
    revision: 1,
    envelope: { material: 'glass_single', bay_width_m: 8, length_m: 50, eave_height_m: 3, ridge_height_m: 5 },
    sensors: roles.map((role) => ({ role, name: role, device_id: role, measurement_id: role })),
    view_3d: { spacing_m: 2, render_mode: 'solid', category_visibility: {} },
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at: '2026-01-01T00:00:00.000Z',
  };
}

const says: Partial<Record<string, number>> = {
  indoor_temp: 20,
  outdoor_temp: 5,
  outdoor_solar: 54,
  indoor_humidity: 80,
};

function readerOf(units: Partial<Record<SensorRole, string>>, intervals: StateInterval[] = []) {
  return {
    means: async ({ series }: { series: { device_id: string } }): Promise<SeriesMeans> => {
      const minutes = Array.from({ length: (4 * dayMs) / 60_000 }, (_, minute) => toMs - 4 * dayMs + minute * 60_000);
      // The second hour of the last day is missing.
      const start_ms = minutes.filter((at) => at < toMs - 23 * 3_600_000 || at >= toMs - 22 * 3_600_000);
      const unit = units[series.device_id as SensorRole] ?? ''; // the stub names devices by role
      return { unit, width_ms: 60_000, start_ms, mean: start_ms.map(() => says[series.device_id] ?? 0) };
    },
    states: async () => intervals,
  };
}

const heater: PastActuator = {
  key: '0',
  role: 'heater',
  kind: 'switch',
  azimuth_deg: null,
  output_id: 'heater',
  channel: 0,
};
const units = { indoor_temp: 'C', outdoor_temp: 'C', outdoor_solar: 'klx', indoor_humidity: '%' } as const;

it('is what sensors and outputs said, in quarters of an hour, without what nobody measured', async () => {
  const on = { from_ms: toMs - 4 * dayMs, to_ms: toMs - dayMs, state: 100 };
  const half = { from_ms: toMs - dayMs, to_ms: toMs, state: 50 };
  const reader = readerOf(units, [on, half]);
  const past = await housePast(reader, { facility: housed(units), actuators: [heater], to_ms: nowMs }, never);
  expect(past?.steps).toHaveLength(4 * 96);
  expect(past?.steps[0]).toMatchObject({
    temp_c: 20,
    humidity_pct: 80,
    equipment: { heater: 1 },
    weather: { temp_c: 5 },
  });
  expect(past?.steps[0]?.weather.radiation_w_m2).toBeCloseTo(54_000 / (54 * 4.57 * 0.45), -1);
  expect(past?.steps.at(-1)?.equipment.heater).toBe(0.5);
  expect(past?.steps.filter((one) => one === null)).toHaveLength(4);
});

it('is none where the heater was not known, and nothing where a sensor that it needs is not bound', async () => {
  const unknown = readerOf(units, [{ from_ms: toMs - 4 * dayMs, to_ms: toMs, state: null }]);
  const asked = { facility: housed(units), actuators: [heater], to_ms: nowMs };
  expect((await housePast(unknown, asked, never))?.steps.every((one) => one === null)).toBe(true);
  const blind = { ...asked, facility: housed({ indoor_temp: 'C', outdoor_temp: 'C' }) };
  expect(await housePast(readerOf(units), blind, never)).toBeNull();
});
