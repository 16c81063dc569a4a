import { describe, expect, it } from 'vitest';
import {
  computeRequest,
  computeResult,
  roofTypes,
  type ComputeRequest,
  type Envelope,
} from '../../../../server/contract/facility.ts';
import { computeCapacity } from '../../../../server/domain/capacity/compute.ts';
import { materials, UnknownMaterialError } from '../../../../server/domain/capacity/materials.ts';
import { nearestStation } from '../../../../server/domain/capacity/stations.ts';

const envelope: Envelope = {
  material: 'pe_single',
  bay_width_m: 8,
  length_m: 50,
  eave_height_m: 2.5,
  ridge_height_m: 4,
};
const request: ComputeRequest = { envelope, bay_count: 1, design_conditions: { heating_outdoor_c: -9.4 } };
const codes = (change: Partial<ComputeRequest>) =>
  computeCapacity({ ...request, ...change }).warnings.map((warning) => warning.code);

describe('computeCapacity', () => {
  it('answers the worked house: 400 m2, 1300 m3, 133.509 kW', () => {
    const found = computeCapacity(request);
    expect(found).toMatchObject({ area_m2: 400, volume_m3: 1300, warnings: [] });
    expect(found.heating_load_kw).toBeCloseTo(133.509, 3);
    expect(
      computeCapacity({ ...request, envelope: { ...envelope, material: 'vinyl_double' } }).heating_load_kw,
    ).toBeCloseTo(73.568, 3);
  });

  it('answers the house that the documentation works by hand', () => {
    const found = computeCapacity({
      envelope: { material: 'vinyl_double', bay_width_m: 7, length_m: 48, eave_height_m: 4.5, ridge_height_m: 6.5 },
      bay_count: 5,
      structure: 'connected',
      design_conditions: { heating_indoor_c: 15, heating_outdoor_c: -9.4 },
    });
    const { geometry, heating, cooling, ventilation } = found.details;
    const pairs: [number, number][] = [
      [geometry.roof_area_m2, 1934.94],
      [geometry.perimeter_m, 166],
      [heating.transmission_kw, 233.0],
      [heating.infiltration_kw, 45.32],
      [heating.ground_kw, 20.92],
      [found.heating_load_kw, 299.23],
      [heating.installed_warm_air_kw, 329.16],
      [heating.installed_hot_water_kw, 374.04],
      [cooling.transmitted_kw, 528.36],
      [cooling.absorbed_kw, 19.85],
      [found.cooling_load_kw, 548.21],
      [ventilation.conduction_kw, 47.75],
    ];
    for (const [value, byHand] of pairs) expect(value).toBeCloseTo(byHand, 2);
    expect(found.forced_ventilation_m3h).toBeCloseTo(298_785, 0);
    expect(ventilation).toMatchObject({ minimum_m3h: 241_920, six_air_changes_m3h: 55_440 });
  });

  it('answers what its contract says, for every material', () => {
    for (const { code } of materials) {
      const asked = computeRequest.parse({ envelope: { ...envelope, material: code }, bay_count: 2 });
      expect(computeResult.safeParse(computeCapacity(asked)).error).toBeUndefined();
    }
  });

  it('takes the network at 25 C inside, 20 C outside and no wind for natural ventilation', () => {
    const side = { area_m2: 50, centre_height_m: 1.25 };
    const openings = [
      { id: 'a', name: 'a', face: 'right', ...side },
      { id: 'b', name: 'b', face: 'left', ...side },
      { id: 'c', name: 'c', face: 'ridge', width_m: 25, height_m: 1, centre_height_m: 4 },
    ] as const;
    const found = computeCapacity({ ...request, openings: [...openings] });
    expect(found.natural_ventilation_m3h).toBeCloseTo(49_437.3, 1);
    expect(found.assumptions).not.toHaveProperty('openings');
    expect(computeCapacity(request).assumptions['openings']).toMatchObject({ value: 160, source: 'default' });
  });

  it('draws thermal curtains by night and shade curtains by day', () => {
    const thermal = { kind: 'thermal', position: 'ceiling', layers: 1, u_w_m2k: 5.5 } as const;
    const shade = { kind: 'shade', position: 'ceiling', layers: 1, transmittance: 0.4 } as const;
    const found = computeCapacity({ ...request, curtains: [thermal, shade] }).details;
    expect(found.heating.roof_u_w_m2k).toBeCloseTo(3, 12);
    expect(found.heating.wall_u_w_m2k).toBeCloseTo(6.6, 12);
    expect(found.heating.air_changes_per_h).toBe(0.4);
    expect(found.cooling.shade_factor).toBe(0.4);
    expect(found.ventilation.conduction_kw).toBeCloseTo((6.6 * 729.2002 * 5) / 1000, 4);
  });

  it('lets a second covering add its resistance, its shade and its tightness', () => {
    const found = computeCapacity({ ...request, envelope: { ...envelope, inner_material: 'pe_single' } }).details;
    expect(found.heating.wall_u_w_m2k).toBeCloseTo(3.3, 12);
    expect(found.heating.air_changes_per_h).toBe(0.6);
    expect(found.cooling.transmittance).toBeCloseTo(0.86 ** 2, 12);
  });

  it('says what it assumed, and takes the site before its defaults and the request before the site', () => {
    const site = { design_conditions: { heating_indoor_c: 18, heating_outdoor_c: -15 } };
    const found = computeCapacity(request, site);
    expect([found.details.heating.indoor_c, found.details.heating.outdoor_c]).toEqual([18, -9.4]);
    expect(found.assumptions['heating_indoor_c']).toMatchObject({ value: 18, source: 'site' });
    expect(found.assumptions).not.toHaveProperty('heating_outdoor_c');
    expect(found.assumptions['latent_share']).toMatchObject({ value: 0.5, source: 'default' });
    expect(found.assumptions['ridge_reference']).toMatchObject({ value: 'ground', source: 'derived' });
    expect(found.assumptions['pe_single.transmittance']).toMatchObject({ source: 'assumed' });
    expect(found.assumptions['pe_single.u_w_m2k']).toMatchObject({ source: 'table' });
  });

  it('takes the nearest station for the outdoor temperature, else estimates it, else -10 C, with a warning', () => {
    const bare = { envelope, bay_count: 1 };
    const near = computeCapacity(bare, { lat: 37.27, lng: 127.0 });
    expect(near.details.heating.outdoor_c).toBe(-12.4);
    expect(near.assumptions['heating_outdoor_c']).toMatchObject({ source: 'nearest_station' });
    const estimated = computeCapacity(bare, { lat: 52, lng: 4.4 });
    expect(estimated.details.heating.outdoor_c).toBeCloseTo(3.6 - 5.2 / 2 - 0.3 * (18.3 - 3.6), 1);
    expect(estimated.assumptions['heating_outdoor_c']).toMatchObject({ source: 'derived' });
    expect(estimated.assumptions['heating_outdoor_c']?.note).toContain('De Bilt');
    expect(estimated.warnings.map((warning) => warning.code)).toEqual(['design_temperature_estimated']);
    const inland = computeCapacity(bare, { lat: 45, lng: 85 });
    expect(inland.details.heating.outdoor_c).toBeLessThan(-15);
    expect(inland.warnings.map((warning) => warning.code)).toEqual(['design_temperature_estimated']);
    const nowhere = computeCapacity(bare, {});
    expect(nowhere.details.heating.outdoor_c).toBe(-10);
    expect(nowhere.warnings.map((warning) => warning.code)).toEqual(['design_temperature_unknown']);
  });

  it.each([
    ['without a place', {}, 850],
    ['in Korea', { lat: 37.27, lng: 127 }, 850],
    ['in Chicago, 886 exceeded in 1 % of the hours of its typical year', { lat: 41.98, lng: -87.9 }, 882],
    ['in Kenya', { lat: -1.3, lng: 36.8 }, 933],
    ['in Lapland', { lat: 67.8, lng: 20.3 }, 656],
  ])('takes the radiation of the place: %s', (_place, site, radiation) => {
    const { radiation_w_m2 } = computeCapacity({ envelope, bay_count: 1 }, site).details.cooling;
    expect(Math.abs(radiation_w_m2 - radiation)).toBeLessThan(5);
  });

  it('moves a quarter more air through the fans at 1,900 m, and heats less of it', () => {
    const at = (elevation_m: number) =>
      computeCapacity({ ...request, design_conditions: { heating_outdoor_c: -9.4, elevation_m } }).details;
    const ratio = at(1900).ventilation.balance_m3h / at(0).ventilation.balance_m3h;
    expect(ratio).toBeCloseTo(1 / (1 - 2.25577e-5 * 1900) ** 5.2559, 9);
    expect(ratio).toBeGreaterThan(1.25);
    expect(at(1900).heating.infiltration_kw * ratio).toBeCloseTo(at(0).heating.infiltration_kw, 9);
    const site = { design_conditions: { elevation_m: 1900 } };
    expect(computeCapacity(request, site).assumptions['elevation_m']).toMatchObject({ value: 1900, source: 'site' });
    expect(computeCapacity(request).assumptions['elevation_m']).toMatchObject({ value: 0, source: 'default' });
  });

  it.each([
    ['bay_wide', { bay_width_m: 60, ridge_height_m: 14 }],
    ['ridge_below_eave', { ridge_reference: 'ground', ridge_height_m: 2 }],
    ['ridge_equals_eave', { ridge_height_m: 2.5 }],
    ['roof_nearly_flat', { ridge_height_m: 2.6 }],
    ['roof_steep', { ridge_reference: 'eave', ridge_height_m: 9 }],
    ['eave_low', { eave_height_m: 0.5, ridge_height_m: 2 }],
    ['eave_high', { eave_height_m: 20, ridge_height_m: 22 }],
    ['bay_narrow', { bay_width_m: 1.9, ridge_height_m: 3 }],
    ['house_short', { length_m: 1.9 }],
  ] as const)('warns of %s', (code, change) => {
    expect(codes({ envelope: { ...envelope, ...change } })).toEqual([code]);
  });

  it.each([2, 2.5])(
    'says that it took the roof as flat where the ridge is at %s m, the eave at 2.5 m',
    (ridge_height_m) => {
      const low = { ...envelope, ridge_reference: 'ground', ridge_height_m } as const;
      const [warning] = computeCapacity({ ...request, envelope: low }).warnings;
      expect(warning?.message).toMatch(/2\.5 m above ground: the roof is treated as flat\.$/);
    },
  );

  it('warns of openings that do not fit, of curtains beyond the table and of a warm outside', () => {
    const opening = { id: 'x', name: 'x', face: 'ridge', area_m2: 1, centre_height_m: 9 } as const;
    expect(codes({ openings: [opening] })).toEqual(['opening_above_ridge']);
    for (const [face, centre_height_m] of [
      ['ridge', 1.5],
      ['left', 3],
    ] as const)
      expect(codes({ openings: [{ ...opening, face, centre_height_m }] })).toEqual(['opening_off_face']);
    expect(codes({ openings: [{ ...opening, face: 'left', area_m2: 126, centre_height_m: 1 }] })).toEqual([
      'openings_larger_than_face',
    ]);
    expect(codes({ curtains: [{ kind: 'thermal', position: 'ceiling', layers: 3 }] })).toEqual([
      'curtain_layers_not_in_table',
    ]);
    expect(codes({ design_conditions: { heating_outdoor_c: 16 } })).toEqual(['outdoor_not_below_indoor']);
    expect(codes({ envelope: { ...envelope, material: 'aluminised_screen' } })).toEqual(['screen_as_cover']);
    const { design_conditions } = request;
    for (const heating_indoor_c of [-1, 36]) {
      expect(codes({ design_conditions: { ...design_conditions, heating_indoor_c } })).toEqual(['indoor_unusual']);
    }
    expect(codes({ design_conditions: { ...design_conditions, air_changes_per_h: 11 } })).toEqual([
      'air_changes_unusual',
    ]);
  });

  it('warns of fans that do not do, unless the house is ventilated by its openings alone', () => {
    const fan = { kind: 'exhaust', flow_m3h: 1000, count: 1 } as const;
    const opening = { id: 'x', name: 'x', face: 'left', area_m2: 0.1, centre_height_m: 1 } as const;
    expect(codes({ fans: [fan], openings: [opening] })).toEqual(['fans_below_need']);
    expect(codes({ fans: [{ ...fan, count: 200 }], openings: [opening] })).toEqual([]);
    expect(codes({ fans: [{ ...fan, kind: 'circulation' }], openings: [opening] })).toEqual([]);
  });

  it('stays finite to the limits of its contract', () => {
    const sizes = (shortest: number, longest: number) => [shortest, 1, longest];
    for (const roof_type of roofTypes) {
      for (const bay_width_m of sizes(0.001, 100)) {
        for (const length_m of sizes(0.001, 1000)) {
          for (const height_m of sizes(0.001, 50)) {
            const heights = { eave_height_m: height_m, ridge_height_m: 0.001, ridge_reference: 'eave' as const };
            const shape = { material: 'glass_single', bay_width_m, length_m, ...heights, roof_type };
            const asked = computeRequest.parse({ envelope: shape, bay_count: 200 });
            expect(computeResult.safeParse(computeCapacity(asked)).error).toBeUndefined();
          }
        }
      }
    }
  });

  it.each([
    [{ bay_width_m: NaN }],
    [{ bay_width_m: Infinity }],
    [{ length_m: 0 }],
    [{ length_m: -50 }],
    [{ eave_height_m: 1e-320 }],
    [{ ridge_height_m: 1e9 }],
    [{ roof_type: 'dome' }],
  ])('refuses %j', (change) => {
    const asked = computeRequest.safeParse({ envelope: { ...envelope, ...change }, bay_count: 1 });
    expect(asked.error?.issues[0]?.path).toEqual(['envelope', Object.keys(change)[0]]);
  });

  it.each([
    ['as drawn', 1, 'connected', 400, false],
    ['5 % larger', 1, 'connected', 420, false],
    ['larger', 1, 'connected', 421, true],
    ['smaller', 1, 'connected', 379, true],
    ['detached bays, whose gaps nobody told', 2, 'single', 2000, false],
  ] as const)('holds the floor against the drawn shape: %s', (_, bay_count, structure, drawn_area_m2, warns) => {
    const { warnings } = computeCapacity({ ...request, bay_count, structure }, { drawn_area_m2 });
    expect(warnings.some(({ code }) => code === 'footprint_differs')).toBe(warns);
  });

  it('refuses a material that the table does not hold, naming the field and the known codes', () => {
    const refused = () => computeCapacity({ ...request, envelope: { ...envelope, inner_material: 'lead' } });
    expect(refused).toThrow(UnknownMaterialError);
    try {
      refused();
    } catch (error) {
      expect(error).toMatchObject({ code: 'unknown_material', path: 'envelope.inner_material' });
      expect((error as UnknownMaterialError).codes).toContain('vinyl_double'); // thrown just above
    }
  });
});

describe('the material table', () => {
  it.each([
    ['pe_single', 6.6, 1],
    ['vinyl_single', 6.2, 1],
    ['eva', 6.2, 1],
    ['po_film', 5.2, 1],
    ['vinyl_double', 3.47, 2],
    ['pe_double', 3.24, 2],
    ['glass_single', 6.16, 1],
    ['glass_double', 3.7, 2],
    ['polycarbonate_twin', 3.3, 2],
    ['polycarbonate_triple', 2.4, 3],
    ['air_cushion', 4, 2],
  ])('has %s at %f W/m2K with %i layers', (code, u_w_m2k, layers) => {
    expect(materials.find((row) => row.code === code)).toMatchObject({ u_w_m2k, layers });
  });

  it('has unique codes, and a source or the mark `assumed` for every figure', () => {
    expect(new Set(materials.map((row) => row.code)).size).toBe(materials.length);
    for (const row of materials) {
      for (const figure of Object.values(row.provenance)) expect(figure.assumed).toBe(figure.source === null);
      expect(row.transmittance + row.absorptance).toBeLessThanOrEqual(1);
    }
  });
});

describe('nearestStation', () => {
  it.each([
    [37.5665, 126.978, 'Seoul'],
    [35.16, 129.06, 'Busan'],
    [33.3, 126.5, 'Jeju'],
    [35.9, 128.6, 'Daegu'],
  ])('at %f, %f is %s', (lat, lng, name) => {
    expect(nearestStation(lat, lng)?.station.name).toBe(name);
  });

  it('is none beyond 150 km', () => {
    expect(nearestStation(38.8, 125.7)).toBeNull();
    expect(nearestStation(0, 0)).toBeNull();
  });
});
