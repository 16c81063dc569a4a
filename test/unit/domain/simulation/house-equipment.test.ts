import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Facility } from '../../../../server/contract/facility.ts';
import { roleOfPart } from '../../../../server/contract/house-simulation.ts';
import { computeCapacity } from '../../../../server/domain/capacity/compute.ts';
import { allOff, afterDay, readModel, stepHouse } from '../../../../server/domain/simulation/house-model.ts';
import { houseEquipment } from '../../../../server/domain/simulation/house-equipment.ts';
import { modelOfHouse } from '../../../../server/domain/simulation/model-of-house.ts';
import { weatherAt } from '../../../../server/domain/climate/weather.ts';
import { drawnHouse } from '../../../support/drawn-house.ts';

const site = { lat: 52, lng: 5 };

/** The house with all that it can have, bound in the sizes that are offered. */
function equipped(facility: Facility): Facility {
  const actuators = houseEquipment(facility, site).map(({ part, is_usual: _usual, ...sizes }) => ({
    role: roleOfPart[part],
    device_id: facility.unique_id,
    name: part,
    ...sizes,
  }));
  return { ...facility, actuators };
}

it('a house is simulated with the sizes that its devices are bound with', () => {
  fc.assert(
    fc.property(drawnHouse, (facility) => {
      const offered = Object.fromEntries(houseEquipment(facility, site).map((one) => [one.part, one]));
      const { model, assumed } = modelOfHouse(equipped(facility), site);
      expect(model.heater_w).toBe(1000 * (offered['heater']?.rating_kw ?? NaN));
      expect(model.fan_m3h).toBe(offered['fan']?.rating_m3h);
      expect(model.fogger_kg_h).toBe(offered['fogger']?.rating_lph);
      expect(model.lighting_w_m2 / 60).toBeCloseTo(1, 0);
      const opened_m2 = (kind: 'side_vent' | 'roof_vent') =>
        model.vents[kind].reduce((sum, one) => sum + one.area_m2, 0);
      for (const kind of ['side_vent', 'roof_vent'] as const)
        expect(opened_m2(kind)).toBeCloseTo(offered[kind]?.opening_area_m2 ?? 0, 9);
      const isDrawn = facility.openings.length > 0;
      expect(assumed).toEqual(isDrawn ? ['co2'] : ['vents', 'co2']);
      expect('screen' in offered).toBe(facility.curtains.some(({ kind }) => kind === 'thermal'));
    }),
  );
});

it('takes the ratings that are bound, and says for what a usual size stands in', () => {
  const [facility] = fc.sample(drawnHouse, 1);
  if (facility === undefined) throw new Error('one was asked for');
  const bound = (rated: object): Facility => ({
    ...facility,
    actuators: (['co2_supply', 'lighting'] as const).map((role) => ({
      role,
      device_id: facility.unique_id,
      name: role,
      ...rated,
    })),
  });
  const rated = modelOfHouse(bound({ rating_m3h: 2, rating_kw: 10 }), site);
  // Gas of 1.86 kg/m3; of the power of lamps 58 % is radiation.
  expect(rated.model.co2_kg_h).toBeCloseTo(3.72, 9);
  expect(rated.model.lighting_w_m2 * rated.model.floor_area_m2).toBeCloseTo(5_800, 6);
  expect(rated.assumed).toEqual([]);
  expect(modelOfHouse(bound({}), site).assumed).toEqual(['co2', 'lamps']);
});

it('the heater that is offered holds the design temperature of the house in its coldest night', () => {
  fc.assert(
    fc.property(drawnHouse, (facility) => {
      const { model } = modelOfHouse(equipped(facility), site);
      const { indoor_c, outdoor_c } = computeCapacity(facility, site).details.heating;
      const night = { ...weatherAt(52, Date.UTC(2026, 0, 15), 5), radiation_w_m2: 0, wind_m_s: 1, temp_c: outdoor_c };
      const around = { equipment: { ...allOff, heater: 1, screen: 1 }, weather: night };
      let state = { ...afterDay(model, () => night, 'none'), floor_c: indoor_c };
      for (let hour = 0; hour < 24; hour += 1) state = stepHouse(model, state, around, 3600);
      expect(readModel(model, state, around).temp_c).toBeGreaterThan(indoor_c);
    }),
    { numRuns: 20 },
  );
});

it('is offered the fans and screens that are planned', () => {
  const [facility] = fc.sample(drawnHouse, 1);
  if (facility === undefined) throw new Error('one was asked for');
  const planned = houseEquipment(
    {
      ...facility,
      fans: [
        { kind: 'exhaust', flow_m3h: 30_000, count: 4 },
        { kind: 'circulation', flow_m3h: 5_000, count: 2 },
      ],
      curtains: [{ kind: 'shade', position: 'ceiling', layers: 1 }],
    },
    site,
  );
  expect(planned.find(({ part }) => part === 'fan')?.rating_m3h).toBe(120_000);
  expect(planned.find(({ part }) => part === 'shade')?.is_usual).toBe(true);
});
