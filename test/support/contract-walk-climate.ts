import { bodyExamples } from '../../server/contract/examples.ts';
import type { Row } from './contract-walk.ts';
import type { World } from './contract-world.ts';

/** A house with a climate program. */
const ofClimate = async (world: World) => {
  const facility_uuid = await world.thing('facility_uuid');
  await world.make(`/api/geo/facility/${facility_uuid}/climate`, climateBody);
  return { facility_uuid };
};
const climateBody = bodyExamples['POST /api/geo/facility/:facility_uuid/climate'] as object; // the form of that example

/** The calls of climate programs. */
export const climateRows: Readonly<Record<string, Row>> = {
  'GET /api/settings/climates': {},
  'POST /api/settings/climates': {
    body: async (world) => ({
      ...(bodyExamples['POST /api/settings/climates'] as object), // the form of that example
      facility_uuid: await world.thing('facility_uuid'),
    }),
    shows: { is_activated: true },
  },
  'GET /api/settings/climates/:climate_id': {},
  'PATCH /api/settings/climates/:climate_id': { shows: { is_activated: true } },
  'DELETE /api/settings/climates/:climate_id': { shows: { deleted: true } },
  'GET /api/geo/facility/:facility_uuid/climate': { params: ofClimate, shows: { is_activated: true } },
  'POST /api/geo/facility/:facility_uuid/climate': { status: 201, shows: { is_activated: true } },
  'DELETE /api/geo/facility/:facility_uuid/climate': { params: ofClimate, shows: { deleted: true } },
  'GET /api/geo/facility/:facility_uuid/climate/live': { params: ofClimate, shows: { at: null, loops: [] } },
  'GET /api/geo/facility/:facility_uuid/climate/preview': { params: ofClimate },
  'POST /api/geo/facility/:facility_uuid/climate/preview': {},
  'GET /api/geo/climate_presets': {},
  'GET /api/geo/facility/:facility_uuid/climate/history': { params: ofClimate, shows: { changes: [] } },
  'POST /api/geo/facility/:facility_uuid/climate/undo': {
    params: async (world) => {
      const ids = await ofClimate(world);
      const changed = { ...climateBody, heating: { gain_pct_per_k: 20 } };
      await world.make(`/api/geo/facility/${ids.facility_uuid}/climate`, changed);
      return ids;
    },
    body: async (world, params) => {
      const path = '/api/geo/facility/:facility_uuid/climate/history';
      const { body } = await world.ask({ method: 'GET', path }, { params });
      return { id: (body as { changes: { id: number }[] }).changes[0]?.id }; // as that call declares
    },
    shows: { heating: { gain_pct_per_k: 15 } },
  },
  'POST /api/geo/facility/:facility_uuid/climate/rehearse': { params: ofClimate },
};
