import type { Curtain, ComputeRequest } from '../../contract/facility.ts';
import type { CoveringStudy, StudyOption } from '../../contract/study.ts';
import { balancesOf, type HourBalance } from './hours.ts';
import type { StudyHouse, WeatherYear } from './house.ts';

interface CoveringCase {
  request: ComputeRequest;
  /** The house of a changed request. */
  build: (request: ComputeRequest) => StudyHouse;
  year: WeatherYear;
}

interface Change {
  code: StudyOption['code'];
  /** The changed request; null when the house already has it. */
  of: (request: ComputeRequest) => ComputeRequest | null;
  area_m2: (house: StudyHouse) => number;
}

const screens = (request: ComputeRequest, position: Curtain['position']): boolean =>
  (request.curtains ?? []).some((one) => one.kind === 'thermal' && one.position === position);

const withScreen = (request: ComputeRequest, position: Curtain['position']): ComputeRequest => ({
  ...request,
  curtains: [...(request.curtains ?? []), { kind: 'thermal', position, layers: 1 }],
});

/** Additions to a house that save heat. */
const changes: readonly Change[] = [
  {
    code: 'ceiling_screen',
    of: (request) => (screens(request, 'ceiling') ? null : withScreen(request, 'ceiling')),
    area_m2: ({ geometry }) => geometry.floor_area_m2,
  },
  {
    code: 'second_ceiling_screen',
    of: (request) => (screens(request, 'ceiling') ? withScreen(request, 'ceiling') : null),
    area_m2: ({ geometry }) => geometry.floor_area_m2,
  },
  {
    code: 'wall_screens',
    of: (request) => (screens(request, 'wall') ? null : withScreen(request, 'wall')),
    area_m2: ({ geometry }) => geometry.side_area_m2 + geometry.end_area_m2,
  },
];

/** The loss of each face, and what a screen would save, against its price if prices are known. */
export function coveringStudy(house: StudyHouse, hours: readonly HourBalance[], around: CoveringCase): CoveringStudy {
  const heat_kwh = heatOf(hours);
  const kelvinHours = hours.reduce(
    (sum, { indoor_c, weather, heating_kw }) => sum + (heating_kw > 0 ? Math.max(0, indoor_c - weather.temp_c) : 0),
    0,
  );
  return {
    faces: faceRows(house, kelvinHours),
    options: changes.flatMap((change) => {
      const changed = change.of(around.request);
      return changed === null ? [] : [optionOf(house, { change, changed, heat_kwh, ...around })];
    }),
  };
}

function heatOf(hours: readonly HourBalance[]): number {
  return hours.reduce((sum, { heating_kw }) => sum + heating_kw, 0);
}

/** Each face's loss in the design night, and over the heated hours with the covering as by night. */
function faceRows({ geometry, covering, conditions }: StudyHouse, kelvinHours: number): CoveringStudy['faces'] {
  const { night } = covering;
  const rows = [
    { face: 'roof', area_m2: geometry.roof_area_m2, u_w_m2k: night.roof_u_w_m2k },
    { face: 'sides', area_m2: geometry.side_area_m2, u_w_m2k: night.side_u_w_m2k },
    { face: 'ends', area_m2: geometry.end_area_m2, u_w_m2k: night.end_u_w_m2k },
  ] as const;
  const rise_k = Math.max(0, conditions.heating_indoor_c - conditions.heating_outdoor_c);
  const whole_w_k = rows.reduce((sum, row) => sum + row.u_w_m2k * row.area_m2, 0);
  return rows.map((row) => {
    const ua_w_k = row.u_w_m2k * row.area_m2;
    return {
      ...row,
      design_kw: (ua_w_k * rise_k * conditions.wind_factor) / 1000,
      year_kwh: (ua_w_k * kelvinHours * conditions.wind_factor) / 1000,
      share_pct: whole_w_k > 0 ? (100 * ua_w_k) / whole_w_k : 0,
    };
  });
}

interface OptionCase extends CoveringCase {
  change: Change;
  changed: ComputeRequest;
  heat_kwh: number;
}

function optionOf(house: StudyHouse, { change, changed, heat_kwh, build, year }: OptionCase): StudyOption {
  const better = build(changed);
  const { conditions } = house;
  const saved_kwh = heat_kwh - heatOf(balancesOf(better, year));
  const area_m2 = change.area_m2(house);
  const { fuel_price, fuel_kwh_per_unit, screen_price_m2, boiler_efficiency_pct } = conditions;
  const perKwh =
    fuel_price === null || fuel_kwh_per_unit === null
      ? null
      : fuel_price / fuel_kwh_per_unit / (boiler_efficiency_pct / 100);
  const saved_cost = perKwh === null ? null : saved_kwh * perKwh;
  const price = screen_price_m2 === null ? null : screen_price_m2 * area_m2;
  return {
    code: change.code,
    area_m2,
    load_kw: designLoad_kw(better),
    saved_kwh,
    saved_pct: heat_kwh > 0 ? (100 * saved_kwh) / heat_kwh : 0,
    saved_cost,
    price,
    payback_years: price === null || saved_cost === null || saved_cost <= 0 ? null : price / saved_cost,
  };
}

/** The heating load: the loss of the design night. */
function designLoad_kw({ conditions, night }: StudyHouse): number {
  const rise_k = Math.max(0, conditions.heating_indoor_c - conditions.heating_outdoor_c);
  const air_kw = (night.transmission_kw_k + night.infiltration_kw_k) * rise_k;
  return air_kw + night.ground_kw_k * Math.max(0, rise_k - night.ground_offset_k);
}
