import { describe, expect, it, onTestFinished } from 'vitest';
import { defineRoute } from '../../../server/api/route.ts';
import { budgets } from '../../../server/contract/budget.ts';
import { safetyEndpoints } from '../../../server/contract/safety.ts';
import { contractEndpoints } from '../../support/contract-endpoints.ts';
import { startTestApi, testCsrfToken } from '../../support/api.ts';
import { sampleRoutes } from '../../support/sample-routes.ts';
import { testWholeApi } from '../../support/whole-api.ts';

const few = { safety: 3, command: 1, calculation: 1, sample: 1, change: 1, login: 1, stranger: 1e9, health: 1 };
const spent = 429;

describe('a caller who has spent every other budget', () => {
  it('still stops, releases and acknowledges', async () => {
    const api = await testWholeApi(few);
    const post = async (path: string, body: unknown = {}) => (await api.request('POST', path, { body })).status;
    const compute = () => post('/api/geo/facility/compute', { nothing: 1 });
    for (const [spend, answered] of [
      [compute, 400],
      [() => post('/api/settings/units'), 400],
    ] as const) {
      expect([await spend(), await spend()]).toEqual([answered, spent]);
    }
    expect(await post('/api/emergency_stop')).toBe(200);
    expect((await api.request('DELETE', '/api/emergency_stop', { body: {} })).status).toBe(200);
    const alarm = '11111111-1111-4111-8111-111111111111';
    expect(await post('/api/alarms/acknowledge', { alarm_ids: [alarm] })).not.toBe(spent);
  });

  it('still switches off, and no longer on', async () => {
    const api = await testWholeApi(few);
    const { outputs } = (await api.request('POST', '/api/settings/presets/simulated_greenhouse', { body: {} }))
      .body as {
      outputs: { unique_id: string }[];
    }; // checked by the API
    const path = `/api/outputs/${outputs[0]?.unique_id}`;
    const command = async (body: object) => (await api.request('POST', path, { body })).status;
    expect([await command({ state: true, reason: 1 }), await command({ state: true })]).toEqual([400, spent]);
    expect(await command({ state: false })).not.toBe(spent);
    const activate = async (to: boolean) =>
      (await api.request('POST', path.replace('outputs', 'controllers'), { body: { activate: to } })).status;
    expect([await activate(true), await activate(false)]).toEqual([spent, 200]);
  });
});

it('a flood of stops by others, also from the same address, leaves everyone his own', async () => {
  const stopped = { active: true, since: null, by: null, reason: null, outputs: [] };
  const api = await startTestApi({
    routes: [...sampleRoutes(), defineRoute(safetyEndpoints.stopAll, () => stopped)],
    limits: few,
  });
  onTestFinished(() => api.close());
  const stop = async (sent: object) => (await api.request('POST', '/api/emergency_stop', { body: {}, ...sent })).status;
  const invented = { key: 'invented' };
  const statuses = [];
  for (const sent of [{ key: 'key:Admin' }, invented, invented, invented, invented]) {
    for (let i = 0; i < 4; i += 1) statuses.push(await stop(sent));
  }
  expect(statuses.slice(0, 4)).toEqual([200, 200, 200, spent]);
  expect(statuses.at(-1)).toBe(spent);
  expect(await stop({ key: 'key:Editor' })).toBe(200);
  expect(await stop({ cookie: 'session-Admin', csrf: testCsrfToken })).toBe(200);
});

it('every call that goes to the safe side is counted as such', () => {
  const counted = contractEndpoints.filter(({ budget }) => budget === 'safety');
  const safe = counted.map(({ method, path }) => `${method} ${path}`).sort();
  expect(safe).toEqual([
    'DELETE /api/emergency_stop',
    'DELETE /api/outputs/:output_id/override',
    'DELETE /api/pids/:pid_id/autotune',
    'POST /api/alarms/:alarm_id/acknowledge',
    'POST /api/alarms/:alarm_id/remove_from_service',
    'POST /api/alarms/:alarm_id/return_to_service',
    'POST /api/alarms/:alarm_id/shelve',
    'POST /api/alarms/:alarm_id/unshelve',
    'POST /api/alarms/acknowledge',
    'POST /api/emergency_stop',
    'POST /api/geo/facility/:facility_uuid/commissioning/:check_id/abort',
    'POST /api/pids/:pid_id/pause',
  ]);
  expect(Object.values(budgets).every((perMinute) => perMinute > 0)).toBe(true);
});
