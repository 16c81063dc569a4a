import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComputeRequest } from '../../../../server/contract/facility.ts';
import { studyResult } from '../../../../server/contract/study.ts';
import { computeCapacity } from '../../../../server/domain/capacity/compute.ts';
import { materials } from '../../../../server/domain/capacity/materials.ts';
import { co2Density_kg_m3, wetBulb_c } from '../../../../server/domain/climate/air.ts';
import { innerFace_c, leafAtNight_c } from '../../../../server/domain/study/condensation.ts';
import type { WeatherHour } from '../../../../server/domain/study/house.ts';
import { transpiration_kg_m2s } from '../../../../server/domain/study/humidity.ts';
import {
  peakPressure_kn_m2,
  snowPeriodFactor,
  snowShape,
  windPeriodFactor,
} from '../../../../server/domain/study/structure.ts';
import { studyHouse } from '../../../../server/domain/study/study.ts';

const envelope = { material: 'pe_single', bay_width_m: 8, length_m: 50, eave_height_m: 2.5, ridge_height_m: 4 };
const cold = { heating_indoor_c: 15, heating_outdoor_c: -9.4 };
/** Air so dry inside that no vapour leaves with the air. */
const dry = { humidity_pct: 10 };
const house = (conditions: object = {}, change: Partial<ComputeRequest> = {}): ComputeRequest => ({
  envelope,
  bay_count: 1,
  ...change,
  design_conditions: { ...cold, ...conditions },
});
const hour: WeatherHour = { temp_c: -9.4, humidity_pct: 80, radiation_w_m2: 0 };
const yearOf = (weather: Partial<WeatherHour>): WeatherHour[] =>
  Array.from({ length: 8760 }, () => ({ ...hour, ...weather }));

describe('the year', () => {
  it('is the heating load in every hour of a year that is one design night: 133.509 kW', () => {
    const { year, covering } = studyHouse(house(dry), yearOf({}));
    expect(year.peak_kw).toBeCloseTo(133.509, 3);
    expect(year.heat_kwh / 8760).toBeCloseTo(133.509, 3);
    expect(year.full_load_hours).toBeCloseTo(8760, 6);
    expect(year).toMatchObject({ heating_hours: 8760, hot_hours: 0, latent_kwh: 0, fuel_units: null, fuel_cost: null });
    expect(year.months_kwh[1]).toBeCloseTo(133.509 * 28 * 24, -1);
    expect(covering.faces.map(({ share_pct }) => share_pct).reduce((sum, one) => sum + one)).toBeCloseTo(100, 9);
  });

  it('adds the heat of the vapour that leaks out: rho N V hfg dW', () => {
    // 15 C 85 % holds 9.02 g/kg, -9.4 C 80 % 1.48 g/kg: 1.2 x 1300/3600 x 2.45e6 x 0.00754 = 8.01 kW.
    const { year } = studyHouse(house({ humidity_pct: 85 }), yearOf({}));
    expect(year.latent_kwh / 8760).toBeCloseTo(8.01, 1);
  });

  it('counts fuel and its cost where they are known', () => {
    const fuel = { fuel_kwh_per_unit: 10, fuel_price: 0.5, boiler_efficiency_pct: 80 };
    const { year } = studyHouse(house({ ...dry, ...fuel }), yearOf({}));
    expect(year.fuel_units).toBeCloseTo(year.heat_kwh / 0.8 / 10, 6);
    expect(year.fuel_cost).toBeCloseTo((year.fuel_units ?? 0) * 0.5, 6);
    expect(year.fuel_cost_m2).toBeCloseTo((year.fuel_cost ?? 0) / 400, 6);
  });

  it('lets the sun heat first, and opens the vents before it is too warm', () => {
    const mild = studyHouse(house(dry), yearOf({ temp_c: 10, radiation_w_m2: 200 })).year;
    const dark = studyHouse(house(dry), yearOf({ temp_c: 10 })).year;
    expect(mild.heat_kwh).toBeLessThan(dark.heat_kwh);
    const hot = studyHouse(house(dry), yearOf({ temp_c: 34, radiation_w_m2: 900 })).year;
    expect(hot).toMatchObject({ heat_kwh: 0, hot_hours: 8760 });
  });

  it('never needs more heat for a better covering or a warmer outside', () => {
    const heat = (material: string, temp_c: number): number =>
      studyHouse(house(dry, { envelope: { ...envelope, material } }), yearOf({ temp_c })).year.heat_kwh;
    fc.assert(
      fc.property(
        fc.double({ min: -20, max: 14, noNaN: true }),
        fc.double({ min: 0.1, max: 10, noNaN: true }),
        (to, k) => {
          expect(heat('pe_single', to + k)).toBeLessThanOrEqual(heat('pe_single', to));
          expect(heat('vinyl_double', to)).toBeLessThanOrEqual(heat('pe_single', to));
        },
      ),
      { numRuns: 5 },
    );
  });
});

describe('the covering', () => {
  it('says which face loses what, each by its own covering', () => {
    const walls = { ...envelope, side_material: 'polycarbonate_twin', end_material: 'polycarbonate_triple' };
    const { covering } = studyHouse(house(dry, { envelope: walls }), yearOf({}));
    expect(covering.faces.map(({ face, u_w_m2k }) => [face, u_w_m2k])).toEqual([
      ['roof', 6.6],
      ['sides', 3.3],
      ['ends', 2.4],
    ]);
    // 250 m2 of sides: 3.3 x 250 x 24.4 W.
    expect(covering.faces[1]?.design_kw).toBeCloseTo(20.13, 6);
    const found = computeCapacity(house(dry, { envelope: walls })).details.heating;
    expect(found.transmission_kw).toBeCloseTo(((6.6 * 427.2002 + 3.3 * 250 + 2.4 * 52) * 24.4) / 1000, 3);
  });

  it('offers the screens that are missing, and their payback where prices are known', () => {
    const prices = { fuel_kwh_per_unit: 10, fuel_price: 1, boiler_efficiency_pct: 100, screen_price_m2: 20 };
    const { covering, year } = studyHouse(house({ ...dry, ...prices }), yearOf({}));
    expect(covering.options.map(({ code }) => code)).toEqual(['ceiling_screen', 'wall_screens']);
    const [screen] = covering.options;
    const curtains = [{ kind: 'thermal', position: 'ceiling', layers: 1 }] as const;
    const better = studyHouse(house({ ...dry, ...prices }, { curtains: [...curtains] }), yearOf({}));
    expect(screen?.saved_kwh).toBeCloseTo(year.heat_kwh - better.year.heat_kwh, 6);
    expect(screen?.payback_years).toBeCloseTo((400 * 20) / ((screen?.saved_kwh ?? 0) / 10), 9);
    expect(better.covering.options.map(({ code }) => code)).toEqual(['second_ceiling_screen', 'wall_screens']);
    expect(studyHouse(house(dry), yearOf({})).covering.options[0]).toMatchObject({ price: null, payback_years: null });
  });
});

describe('condensation', () => {
  it('finds the inside of glass by its film: 16 - 0.616 x 34 = -4.944 C', () => {
    expect(innerFace_c(6.16, 10, { indoor_c: 16, outdoor_c: -18 })).toBeCloseTo(-4.944, 9);
    expect(innerFace_c(40, 10, { indoor_c: 16, outdoor_c: -18 })).toBe(-18);
  });

  it('has the leaf between air and roof, at the balance of radiation and convection', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 5, max: 35, noNaN: true }),
        fc.double({ min: 0, max: 30, noNaN: true }),
        (air, colder) => {
          const roof = air - colder;
          const leaf = leafAtNight_c(air, roof);
          const radiated = 0.85 * 5.670374419e-8 * ((leaf + 273.15) ** 4 - (roof + 273.15) ** 4);
          expect(leaf).toBeLessThanOrEqual(air + 1e-9);
          expect(leaf).toBeGreaterThanOrEqual(roof - 1e-9);
          expect(radiated).toBeCloseTo(((2 * 1206) / 275) * (air - leaf), 6);
        },
      ),
    );
  });

  it('wets the roof of a cold year all the time, and a dry house never', () => {
    expect(studyHouse(house({ humidity_pct: 90 }), yearOf({})).condensation).toMatchObject({ roof_hours: 8760 });
    expect(studyHouse(house(dry), yearOf({})).condensation).toMatchObject({ roof_hours: 0, water_l_m2: 0 });
  });
});

describe('humidity', () => {
  it('gives off what Stanghellini gives a full canopy by night: 37.3 g/m2h at 16 C and 85 %', () => {
    expect(transpiration_kg_m2s(16, 85) * 3.6e6).toBeCloseTo(37.3, 1);
    expect(transpiration_kg_m2s(16, 100)).toBeCloseTo(0, 12);
  });

  it('ventilates by what leaks do not take out, and says where outdoor air cannot dry', () => {
    const { humidity } = studyHouse(house({ humidity_pct: 85 }), yearOf({ temp_c: 5 }));
    const still = studyHouse(house({ humidity_pct: 85, air_changes_per_h: 0 }), yearOf({ temp_c: 5 })).humidity;
    expect(still.ventilation_m3h ?? 0).toBeGreaterThan(humidity.ventilation_m3h ?? 0);
    expect((still.ventilation_m3h ?? 0) - (humidity.ventilation_m3h ?? 0)).toBeCloseTo(1300, 6);
    const wet = studyHouse(house({ humidity_pct: 60 }), yearOf({ temp_c: 14, humidity_pct: 100 })).humidity;
    expect(wet).toMatchObject({ undryable_hours: 8760, humid_hours: 0 });
  });
});

describe('cooling by water', () => {
  const summer = yearOf({ temp_c: 35, humidity_pct: 40, radiation_w_m2: 800 });

  it('cools 80 % of the way to the wet bulb, with the fans and pads of ASAE EP406.4', () => {
    const { evaporative } = studyHouse(house(), summer);
    const wet = wetBulb_c(35, 40);
    expect(evaporative.wet_bulb_c).toBeCloseTo(wet, 9);
    expect(evaporative.pad_air_c).toBeCloseTo(35 - 0.8 * (35 - wet), 9);
    expect(evaporative.fan_m3h).toBeCloseTo(computeCapacity(house()).forced_ventilation_m3h, 6);
    expect(evaporative.pad_thick_m2 * 1.78 * 3600).toBeCloseTo(evaporative.fan_m3h, 6);
    expect(evaporative.pad_thin_m2 * 1.27 * 3600).toBeCloseTo(evaporative.fan_m3h, 6);
    // The air gives hfg for each kilogram: 1.2 V cp dT / hfg.
    const given_kg_h = (1206 * evaporative.fan_m3h * (35 - evaporative.pad_air_c)) / 2.45e6;
    expect(evaporative.pad_evaporation_l_h).toBeCloseTo(given_kg_h, 3);
    expect(evaporative.fans_missing_m3h).toBeNull();
  });

  it('fogs nothing into air that is as moist as the limit', () => {
    const steam = studyHouse(
      house({ humidity_pct: 60 }),
      yearOf({ temp_c: 30, humidity_pct: 95, radiation_w_m2: 800 }),
    );
    expect(steam.evaporative.fog_l_h).toBeNull();
    expect(studyHouse(house(), summer).evaporative.fog_l_h ?? 0).toBeGreaterThan(0);
  });
});

describe('CO2 and light', () => {
  it('loses N V (C - Co) by leaks', () => {
    const { carbon_dioxide } = studyHouse(house({ co2_ppm: 800, air_changes_per_h: 1 }), yearOf({}));
    const lost = co2Density_kg_m3(800 - 422.8, 15);
    expect(carbon_dioxide.leak_kg_h).toBeCloseTo(1300 * lost, 9);
    expect(carbon_dioxide.air_change_kg).toBeCloseTo(1300 * lost, 9);
    expect(carbon_dioxide.year_cost).toBeNull();
  });

  it('counts photons: 100 W/m2 through 0.86 all day are 15.28 mol/m2', () => {
    const bright = yearOf({ radiation_w_m2: 100 });
    const { lighting } = studyHouse(house({ light_mol_m2d: 20, lamp_hours: 20, lamp_efficacy_umol_j: 2.5 }), bright);
    expect(lighting.darkest_mol_m2d).toBeCloseTo(15.28, 2);
    const flux = ((20 - lighting.darkest_mol_m2d) * 1e6) / (20 * 3600);
    expect(lighting.flux_umol_m2s).toBeCloseTo(flux, 6);
    expect(lighting.power_w_m2).toBeCloseTo(flux / 2.5, 6);
    expect(lighting).toMatchObject({ short_days: 0 });
    expect(lighting.lamp_hours_year).toBeCloseTo(365 * 20, 3);
    expect(studyHouse(house({ light_mol_m2d: 10 }), bright).lighting).toMatchObject({
      flux_umol_m2s: 0,
      short_days: 0,
    });
  });
});

describe('snow and wind', () => {
  it('follows the return period: EN 1991-1-3 eq. D.1 and EN 1991-1-4 eq. 4.2', () => {
    expect(snowPeriodFactor(50)).toBeCloseTo(1, 3);
    expect(snowPeriodFactor(10)).toBeCloseTo(0.6976, 3);
    expect(windPeriodFactor(50)).toBe(1);
    expect(windPeriodFactor(10)).toBeCloseTo(0.902, 3);
  });

  it('has the shape coefficients of EN 1991-1-3 table 5.2', () => {
    const rows = [
      [0, 0.8, 0.8],
      [15, 0.8, 1.2],
      [30, 0.8, 1.6],
      [45, 0.4, 1.6],
      [60, 0, 1.6],
    ] as const;
    for (const [pitch, slope, valley] of rows) {
      expect(snowShape(pitch).slope).toBeCloseTo(slope, 12);
      expect(snowShape(pitch).valley).toBeCloseTo(valley, 12);
    }
  });

  it('has an exposure of 2.35 at 10 m over open fields: EN 1991-1-4 figure 4.2', () => {
    expect(peakPressure_kn_m2(26, 10, 0.05) / (0.5 * 1.25e-3 * 26 ** 2)).toBeCloseTo(2.35, 2);
  });

  // Table 4.1: 1 m at the sea, 2 m over fields, 5 m among villages, 10 m in towns.
  it.each([
    [0.003, 1],
    [0.05, 2],
    [0.3, 5],
    [1, 10],
  ])('with a roughness of %d m blows below %d m as at it', (roughness_m, least_m) => {
    const at = (height_m: number): number => peakPressure_kn_m2(26, height_m, roughness_m);
    expect(at(least_m / 2)).toBe(at(least_m));
    expect(at(least_m * 1.1)).toBeGreaterThan(at(least_m));
  });

  it('knows nothing without the figures of the place, and compares with what the house is built for', () => {
    const none = studyHouse(house(), yearOf({})).structure;
    expect(none).toMatchObject({ ground_snow_kn_m2: null, peak_pressure_kn_m2: null, snow_share_pct: null });
    const given = { snow_kn_m2: 1, wind_base_m_s: 26, snow_capacity_kn_m2: 0.5, return_years: 50 };
    const { structure } = studyHouse(house(given), yearOf({}));
    expect(structure.roof_snow_kn_m2).toBeCloseTo(0.8, 3);
    expect(structure.valley_snow_kn_m2).toBeNull();
    expect(structure.snow_share_pct).toBeCloseTo(160, 0);
    expect(studyHouse(house(given, { bay_count: 3 }), yearOf({})).structure.valley_snow_kn_m2).toBeGreaterThan(1.3);
  });
});

it('answers what its contract says, for every material', () => {
  const weather = Array.from({ length: 48 }, (_, at) => ({
    temp_c: 10 + 8 * Math.sin(at / 4),
    humidity_pct: 70,
    radiation_w_m2: Math.max(0, 700 * Math.sin(at / 4)),
  }));
  for (const { code } of materials) {
    const found = studyHouse(house({}, { envelope: { ...envelope, material: code } }), weather);
    expect(studyResult.safeParse(found).error).toBeUndefined();
  }
});
