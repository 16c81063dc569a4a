// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from 'vitest';
import PidTuning from '../../../../../renderer/features/control/PidTuning.vue';
import { useNotice } from '../../../../../renderer/stores/notice.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import type { PidAutotune } from '../../../../../server/contract/pid-autotune.ts';
import { heating, id } from './heating-pid.ts';
import { mounted } from '../../ui/mounted.ts';
import { eventually } from '../../../../support/eventually.ts';

const running: PidAutotune = {
  pid_id: id,
  phase: 'running',
  reason: null,
  cycles: 2,
  ku: null,
  tu_s: null,
  proposals: [],
  progress: { done_pct: 50, ends_at: new Date(Date.now() + 3_600_000).toISOString() },
};
const done: PidAutotune = {
  pid_id: id,
  phase: 'done',
  reason: null,
  cycles: 5,
  ku: 40,
  tu_s: 600,
  progress: null,
  proposals: [{ rule: 'tyreus_luyben_pi', kp: 12.5, ki: 0.0095, kd: 0 }],
};

/** A server whose trial goes on as it is told to, and all that was asked of it to change. */
function trialServer() {
  const server = { trial: running, changes: [] as unknown[] };
  const fetch = async (address: string | URL | Request, options?: RequestInit): Promise<Response> => {
    const { pathname } = new URL(address instanceof Request ? address.url : String(address), 'https://here');
    if (pathname === '/api/auth/login') {
      const user = { unique_id: id, username: 'kim' };
      return Response.json({ user, permissions: ['edit_controllers'], csrf_token: '' });
    }
    if (pathname === `/api/pids/${id}/autotune`) return Response.json(server.trial);
    const request = new Request(new URL(pathname, 'https://here'), address instanceof Request ? address : options);
    if (request.method === 'PATCH') {
      server.changes.push(await request.json());
      return Response.json(heating);
    }
    return Response.json(pathname === '/api/geo/devices' ? { devices: [] } : {});
  };
  return { server, fetch };
}

afterEach(() => void vi.useRealTimers());

it('follows a trial to its end, takes the gains that it proposes, and gives those before back', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { server, fetch } = trialServer();
  const page = mounted(PidTuning, { props: { pid: heating, now: undefined, unit: 'C', mayCompare: false }, fetch });
  await useSession().login({ username: 'kim', password: 'secret' });
  await eventually(() => expect(page.attributes('data-trial')).toBe('running'));
  expect(page.text()).toContain('oscillations so far: 2');
  server.trial = done;
  await vi.advanceTimersByTimeAsync(3_000);
  await eventually(() => expect(page.attributes('data-trial')).toBe('done'));
  expect(page.text()).toMatch(/at a gain of 40.*Calm, PI.*12\.5.*0\.0095/);
  await page.get('button[aria-label="Use the gains of Calm, PI (Tyreus-Luyben)"]').trigger('click');
  await eventually(() => expect(useNotice().shown).toMatchObject({ kind: 'done', action: { label: 'Undo' } }));
  useNotice().shown?.action?.run();
  await eventually(() =>
    expect(server.changes).toEqual([
      { kp: 12.5, ki: 0.0095, kd: 0 },
      { kp: 12, ki: 0.02, kd: 0 },
    ]),
  );
  const reject = page.findAll('button').find((one) => one.text() === 'Reject all');
  await reject?.trigger('click');
  expect(page.text()).not.toContain('Calm');
});

it('says why a trial gave nothing', async () => {
  const { server, fetch } = trialServer();
  server.trial = { ...running, phase: 'failed', reason: 'one_sided' };
  const page = mounted(PidTuning, { props: { pid: heating, now: undefined, unit: 'C', mayCompare: false }, fetch });
  await eventually(() => expect(page.get('[role=alert]').text()).toContain('did not cross back over the setpoint'));
});
