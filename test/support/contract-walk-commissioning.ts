import { thermometerId } from './commissioning-check.ts';
import type { Row } from './contract-walk.ts';
import type { World } from './contract-world.ts';

const ofHouse = async (world: World) => ({ facility_uuid: (await world.check())['facility_uuid'] ?? '' });
const ofCheck = { params: (world: World) => world.check() };

/** The calls of commissioning checks. */
export const commissioningRows: Readonly<Record<string, Row>> = {
  'POST /api/geo/facility/:facility_uuid/commissioning/start': {
    params: ofHouse,
    body: async () => ({}),
    shows: { status: 'running' },
  },
  'GET /api/geo/facility/:facility_uuid/commissioning': { params: ofHouse },
  'GET /api/geo/facility/:facility_uuid/commissioning/plan': { params: ofHouse, shows: { takes_s: 329 } },
  'GET /api/geo/facility/:facility_uuid/commissioning/:check_id': ofCheck,
  'POST /api/geo/facility/:facility_uuid/commissioning/:check_id/abort': ofCheck,
  'POST /api/geo/facility/:facility_uuid/commissioning/:check_id/verdict': {
    ...ofCheck,
    body: async () => ({ device_id: thermometerId, verdict: 'held' }),
  },
  'POST /api/geo/facility/:facility_uuid/commissioning/:check_id/reopen': {
    params: (w) => w.check('completed'),
    shows: { status: 'awaiting_verdict' },
  },
  'POST /api/geo/facility/:facility_uuid/commissioning/:check_id/retest': {
    params: (w) => w.check('awaiting_verdict'),
    shows: { status: 'running' },
  },
  'POST /api/geo/facility/:facility_uuid/commissioning/:check_id/accuracy': {
    ...ofCheck,
    body: async () => ({ device_id: thermometerId, measurement_id: thermometerId, point: 1, reference: 20 }),
  },
  'GET /api/geo/facility/:facility_uuid/commissioning/:check_id/report': ofCheck,
  'GET /api/geo/facility/:facility_uuid/commissioning/:check_id/report.json': ofCheck,
};
