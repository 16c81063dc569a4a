import { climateKind } from '../../server/contract/climate.ts';
import { climateSettings, type Climate } from '../../server/contract/climate-settings.ts';
import type { Facility } from '../../server/contract/facility.ts';

const id = (n: number) => `00000000-0000-4000-8000-0000000000d${n}`;
/** A climate program, its house with its sensors, and what it drives. */
export const [own, house, station, pump, east, west, co2] = [id(1), id(2), id(3), id(4), id(5), id(6), id(7)];
export const seriesOf = {
  indoor_temp: id(8),
  outdoor_solar: id(9),
  indoor_co2: '00000000-0000-4000-8000-0000000001d0',
} as const;
export const unitOf = { indoor_temp: 'C', outdoor_solar: 'W/m2', indoor_co2: 'ppm' } as const;
export const wateredRoles = ['indoor_temp', 'outdoor_solar', 'indoor_co2'] as const;
/** 200 m2 under a valve of 2,000 l/h, 300 ml/m2. */
export const shot_s = 108;

const valve = { role: 'irrigation_valve', rating_lph: 2000, area_m2: 200 } as const;

/** Two valves behind a pump, and CO2. */
export const wateredHouse: Facility = {
  unique_id: house,
  name: 'House',
  shape_uuid: house,
  geo_id: house,
  preset: 'greenhouse',
  structure: 'single',
  bay_count: 1,
  openings: [],
  curtains: [],
  fans: [],
  notes: '',
  revision: 1,
  envelope: { material: 'glass_single', bay_width_m: 8, length_m: 50, eave_height_m: 3, ridge_height_m: 5 },
  sensors: wateredRoles.map((role) => ({ role, name: role, device_id: station, measurement_id: seriesOf[role] })),
  actuators: [
    { role: 'irrigation_pump', device_id: pump, name: 'Pump' },
    { ...valve, device_id: east, name: 'East' },
    { ...valve, device_id: west, name: 'West' },
    { role: 'co2_supply', device_id: co2, name: 'CO2' },
  ],
  view_3d: { spacing_m: 2, render_mode: 'solid', category_visibility: {} },
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

/** Waters by the sum of the sun alone, and demands CO2 while there is light. */
export const wateringProgram: Climate = climateSettings.parse(
  climateKind.stored?.settled?.({
    unique_id: own,
    name: 'Tomato',
    is_activated: true,
    facility_uuid: house,
    periods: [
      {
        name: 'Day',
        start: { event: 'clock', at: '00:00' },
        setpoints: { heating_c: 5, ventilation_c: 30, co2_ppm: 800 },
      },
    ],
    irrigation: { is_on: true, most_rest_min: null, begin_min: -600, end_min: -600 },
  }),
);

/** Two openings of a valve that are no further apart belong to one turn, ms: shots are 20 minutes apart or more. */
const apartMs = 600_000;

export interface Opened {
  from_ms: number;
  to_ms: number;
}

/** What each turn of a valve gave, s, and between which times. */
export function turnsOf(openings: readonly Opened[]): (Opened & { given_s: number })[] {
  const turns: (Opened & { given_s: number })[] = [];
  for (const { from_ms, to_ms } of openings) {
    const given_s = (to_ms - from_ms) / 1000;
    const last = turns.at(-1);
    if (last === undefined || from_ms - last.to_ms > apartMs) turns.push({ given_s, from_ms, to_ms });
    else Object.assign(last, { given_s: last.given_s + given_s, to_ms });
  }
  return turns;
}
