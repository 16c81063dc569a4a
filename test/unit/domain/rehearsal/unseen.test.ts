import { expect, it } from 'vitest';
import { climateDefaults } from '../../../../server/contract/climate-settings.ts';
import { unseenBy } from '../../../../server/domain/rehearsal/unseen.ts';
import { modelHouse, programOf } from '../../../support/climate-run.ts';

it('names what programs go by and the model does not have', () => {
  const valve = { key: 'valve', role: 'irrigation_valve', kind: 'switch', azimuth_deg: null } as const;
  const sensors = new Set(['indoor_temp', 'outdoor_longwave', 'rain'] as const);
  const house = { ...modelHouse, actuators: [...modelHouse.actuators, valve], sensors };
  const measurement = { device_id: 'a', measurement_id: 'b', max_age_s: 60 };
  const influence = { on: 'humidity_pct', source: 'measurement', measurement } as const;
  const watered = { ...climateDefaults.irrigation, is_on: true, moisture_below_pct: 40, drain_target_pct: 20 };
  const blind = programOf({
    influences: [{ ...influence, from_x: 0, to_x: 10, from_y: 0, to_y: -10 }],
    irrigation: watered,
  });
  const named = unseenBy([programOf(), blind], { house, isStored: true });
  expect(named).toEqual(['moisture', 'drain', 'sky', 'measurement', 'rain']);
  expect(unseenBy([programOf()], { house: modelHouse, isStored: false })).toEqual([]);
  expect(unseenBy([blind], { house: modelHouse, isStored: false })).toEqual(['measurement']);
});
