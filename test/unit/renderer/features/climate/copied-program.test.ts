import { expect, it } from 'vitest';
import { copiedProgram } from '../../../../../renderer/features/climate/copied-program.ts';
import type { Climate, ClimateInfluence } from '../../../../../server/contract/climate-settings.ts';
import { programOf } from '../../../../support/climate-run.ts';

const shape = { on: 'heating_c', from_x: 0, to_x: 10, from_y: 0, to_y: 2 } as const;
const sun: ClimateInfluence = { ...shape, source: 'radiation' };
const by = (device_id: string): ClimateInfluence => ({
  ...shape,
  source: 'measurement',
  measurement: { device_id, measurement_id: device_id, max_age_s: 600 },
});
const program: Climate = {
  ...programOf({
    influences: [sun, by('ours')],
    overrides: [{ on: 'co2_ppm', value: 900, until: '2026-05-01T10:00:00Z' }],
  }),
  unique_id: 'p',
  facility_uuid: 'h',
  name: 'House 1',
  is_activated: true,
  revision: 7,
};

it('a house without a program gets it switched off, without what goes by sensors of another house', () => {
  const { unique_id: _id, facility_uuid: _house, name: _name, overrides: _held, ...rest } = program;
  expect(copiedProgram(program, null)).toEqual({ ...rest, influences: [sun], is_activated: false, revision: 0 });
});

it('a house with a program keeps its own influences by a measurement, its holds, and whether it runs', () => {
  const sent = copiedProgram(program, { revision: 3, influences: [{ ...sun, to_y: 1 }, by('theirs')] });
  expect(sent.influences).toEqual([sun, by('theirs')]);
  expect(sent.revision).toBe(3);
  for (const kept of ['overrides', 'is_activated', 'name']) expect(sent).not.toHaveProperty(kept);
});
