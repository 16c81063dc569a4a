// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { afterEach, expect, it, vi } from 'vitest';
import { VBtn } from 'vuetify/components/VBtn';
import CommissioningPage from '../../../../../renderer/features/commissioning/CommissioningPage.vue';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import ErrorNotice from '../../../../../renderer/ui/ErrorNotice.vue';
import { mounted } from '../../ui/mounted.ts';
import { eventually } from '../../../../support/eventually.ts';

const id = '00000000-0000-4000-8000-000000000001';

/** A server with a check of a sound sensor and a faulty one, that runs until it is ended. */
function checkServer() {
  const server = { isEnded: false, takes_s: 329, isEarlier: false };
  const item = (name: string, result: string) => ({
    kind: 'sensor',
    role: 'indoor_temp',
    name,
    device_id: id,
    channel: null,
    measurement_id: id,
    message: '',
    result: server.isEnded ? result : 'running',
    findings: [],
    checks: [],
    evidence: null,
    note: '',
    verdict: 'none',
    verdict_by: null,
    verdict_at: null,
  });
  const check = () => ({
    check_id: id,
    phase: 'sensors',
    started_at: '2026-11-27T08:00:00Z',
    started_by: 'kim',
    ended_at: null,
    status: server.isEnded ? 'awaiting_verdict' : 'running',
    progress: { done: 0, total: 2 },
    summary: { approved: 0, held: 0 },
    items: [item('North', 'ok'), item('South', 'fail')],
  });
  const fetch = (address: string | URL | Request): Promise<Response> => {
    const { pathname } = new URL(address instanceof Request ? address.url : String(address), 'https://here');
    const session = { user: { username: 'kim' }, permissions: ['edit_controllers'], csrf_token: '' };
    if (!pathname.includes('/facility/')) return Promise.resolve(Response.json(session));
    if (pathname.endsWith('/plan')) {
      const unknown = {
        type: 'about:blank',
        title: '',
        status: 502,
        code: 'command_failed',
        detail: '',
        request_id: '1',
      };
      const { isEarlier, takes_s } = server;
      return Promise.resolve(isEarlier ? Response.json(unknown, { status: 502 }) : Response.json({ takes_s }));
    }
    if (pathname.endsWith('/commissioning')) return Promise.resolve(Response.json({ checks: [check()] }));
    if (pathname.includes('/commissioning/')) return Promise.resolve(Response.json(check()));
    return Promise.resolve(Response.json({ unique_id: id, name: 'House 1', sensors: [{}], actuators: [] }));
  };
  return { server, fetch };
}

vi.stubGlobal('visualViewport', new EventTarget()); // a dialog listens to it for as long as it lives
afterEach(() => void vi.useRealTimers());

const routes = ['house', 'commissioning'].map((name) => ({ name, path: `/${name}`, component: CommissioningPage }));

async function pageToStart(fetch: typeof globalThis.fetch) {
  const page = mounted(CommissioningPage, { props: { facilityUuid: id }, fetch, routes });
  await useSession().login({ username: 'kim', password: 'a long password' });
  await eventually(() => expect(page.find('.commissioning__deed:not(:disabled)').exists()).toBe(true));
  await flushPromises();
  const ask = () => page.get('.commissioning__deed').trigger('click');
  const question = (): unknown => page.getComponent({ name: 'ConfirmDialog' }).props('text');
  return { page, ask, question };
}

it('says before it begins how long it takes now, and which warning it does not raise', async () => {
  const { server, fetch } = checkServer();
  server.isEnded = true;
  const { ask, question } = await pageToStart(fetch);
  server.takes_s = 629; // more was bound elsewhere
  await ask();
  await eventually(() => expect(question()).toContain('takes about 11 min'));
  expect(question()).toContain(en.commissioning.onPurpose);
});

it('begins nothing during an emergency stop, and says so, also in a question that is open', async () => {
  const { server, fetch } = checkServer();
  server.isEnded = true;
  const { page, ask, question } = await pageToStart(fetch);
  await ask();
  useLive(page.vm.$pinia).emergency = { active: true, since: '2026-11-28T08:00:00.000Z', by: 'kim', reason: null };
  const dialog = page.getComponent({ name: 'ConfirmDialog' });
  // The question opens once its plan was read.
  await eventually(() =>
    expect([question(), dialog.props('isBlocked')]).toEqual([en.refusals.emergency_stopped, true]),
  );
  expect(page.get('.commissioning__stopped').text()).toBe(en.refusals.emergency_stopped);
  expect(page.find('.commissioning__deed:disabled').exists()).toBe(true);
});

it('begins without a word on how long it takes where the daemon does not know', async () => {
  const { server, fetch } = checkServer();
  Object.assign(server, { isEnded: true, isEarlier: true });
  const { page, ask, question } = await pageToStart(fetch);
  await ask();
  await eventually(() => expect(question()).toBe(`${en.commissioning.startText} ${en.commissioning.onPurpose}`));
  const errors = page.findAllComponents(ErrorNotice).map((notice) => notice.props() as { error?: unknown });
  expect(errors.filter(({ error }) => error)).toEqual([]);
});

it('keeps its rows in their order and shut when a check ends, until the results are asked for', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const { server, fetch } = checkServer();
  const page = mounted(CommissioningPage, { props: { facilityUuid: id }, fetch, routes });
  const rows = () =>
    page.findAll('.item').map((row) => [row.get('.item__name').text(), row.find('details[open]').exists()]);
  await eventually(() => expect(page.text()).toContain(en.commissioning.statuses.running));
  server.isEnded = true;
  vi.advanceTimersByTime(1_000);
  await eventually(() => expect(page.text()).toContain(en.commissioning.statuses.awaiting_verdict));
  expect(rows()).toEqual([
    ['North', false],
    ['South', false],
  ]);
  const show = page.findAllComponents(VBtn).find((one) => one.text() === en.commissioning.showResults);
  await show?.trigger('click');
  expect(rows()).toEqual([
    ['South', true],
    ['North', false],
  ]);
  expect(page.text()).toContain(en.commissioning.report);
});
