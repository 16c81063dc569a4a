// @vitest-environment happy-dom
import { mount, type VueWrapper } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineComponent, h, nextTick, ref } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { useCheck } from '../../../../../renderer/features/commissioning/use-check.ts';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import type { CommissioningCheck } from '../../../../../server/contract/commissioning.ts';
import { checkId, sampleCheck, thermometerId } from '../../../../support/commissioning-check.ts';

const houseId = '00000000-0000-4000-8000-0000000000f1';
const olderId = '00000000-0000-4000-8000-0000000000c0';

let asked: string[];
let stored: CommissioningCheck[];
let host: VueWrapper;
let isBroken: boolean;
let isRefusing: boolean;

const broken = {
  type: 'about:blank',
  title: 'Bad Gateway',
  status: 502,
  code: 'daemon_unreachable',
  detail: '',
  request_id: 'r1',
};

/** Answers as the server does, from `stored`. */
const fakeFetch: typeof fetch = async (address, init) => {
  if (typeof address !== 'string') throw new Error('the client asks by path');
  const path = address.replace(`/api/geo/facility/${houseId}`, '');
  asked.push(`${init?.method ?? 'GET'} ${path}`);
  if (isBroken || (isRefusing && path.endsWith('/verdict'))) return Response.json(broken, { status: broken.status });
  if (path === '') return Response.json({ unique_id: houseId, name: 'House 1', sensors: [], actuators: [] });
  if (path === '/commissioning') return Response.json({ checks: stored.map(({ items: _, ...overview }) => overview) });
  const check = stored.find(({ check_id }) => path.includes(check_id)) ?? stored[0];
  if (path.endsWith('/abort')) await new Promise((resolve) => setTimeout(resolve, 100));
  if (path.endsWith('/start')) return Response.json({ check_id: checkId, status: 'running' }, { status: 201 });
  return Response.json(path.endsWith('/verdict') || path.endsWith('/accuracy') ? check?.items[0] : check);
};

const settle = async (ms = 0): Promise<void> => {
  await nextTick();
  await vi.advanceTimersByTimeAsync(ms);
};

async function setUp() {
  const chosen = ref<string>();
  let used: ReturnType<typeof useCheck> | undefined;
  const page = defineComponent({
    setup() {
      used = useCheck(
        () => houseId,
        () => chosen.value,
      );
      return () => h('div');
    },
  });
  const provide = { [clientKey as symbol]: new ApiClient(fakeFetch) }; // an InjectionKey is a symbol
  host = mount(page, { global: { plugins: [createPinia()], provide } });
  await settle();
  if (used === undefined) throw new Error('not mounted');
  return { ...used, chosen };
}

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  isBroken = false;
  isRefusing = false;
  stored = [sampleCheck(houseId), sampleCheck(houseId, { check_id: olderId })];
});
afterEach(() => {
  host.unmount();
  vi.useRealTimers();
});

describe('the checks of a house', () => {
  it('are read with the latest of them, which is over and not read again', async () => {
    const { facility, checks, check, isRunning } = await setUp();
    expect([facility.value?.name, checks.value?.length, check.value?.check_id]).toEqual(['House 1', 2, checkId]);
    expect(isRunning.value).toBe(false);
    const before = asked.length;
    await settle(5_000);
    expect(asked.length).toBe(before);
  });

  it('show the one that is asked for', async () => {
    const { check, chosen } = await setUp();
    chosen.value = olderId;
    await settle();
    expect(check.value?.check_id).toBe(olderId);
  });

  it('have none, and no error, before the first check', async () => {
    stored = [];
    const { check, checks, error } = await setUp();
    expect([check.value, checks.value, error.value]).toEqual([null, [], null]);
  });

  it('are read every second while one runs, and the list once more when it is over', async () => {
    stored = [sampleCheck(houseId, { status: 'running', phase: 'actuators' })];
    const { check, checks, isRunning } = await setUp();
    expect(isRunning.value).toBe(true);
    await settle(1_000);
    expect(asked.at(-1)).toBe(`GET /commissioning/${checkId}`);
    stored = [sampleCheck(houseId)];
    await settle(1_000);
    expect([check.value?.status, checks.value?.[0]?.status]).toEqual(['awaiting_verdict', 'awaiting_verdict']);
    expect(asked.at(-1)).toBe('GET /commissioning');
  });

  it('are read again when one was started elsewhere', async () => {
    const stream = new EventTarget();
    const opened = vi.fn(function open() {
      return Object.assign(stream, { readyState: 1, close: () => undefined });
    });
    vi.stubGlobal('EventSource', opened);
    const { isRunning } = await setUp();
    vi.spyOn(useSession(), 'can').mockReturnValue(true);
    useLive().start();
    const running = sampleCheck(houseId, { status: 'running', phase: 'actuators' });
    const tell = (facility_uuid: string) =>
      stream.dispatchEvent(
        new MessageEvent('commissioning', { data: JSON.stringify({ kind: 'commissioning', facility_uuid }) }),
      );
    const before = asked.length;
    tell(olderId);
    await settle(1_000);
    expect(asked.length).toBe(before);
    stored = [running];
    tell(houseId);
    await settle(1_000);
    expect(isRunning.value).toBe(true);
    useLive().stop();
    vi.unstubAllGlobals();
  });

  it('say that they cannot be read, and recover', async () => {
    isBroken = true;
    const { error, load, check } = await setUp();
    expect(error.value).toMatchObject({ code: 'daemon_unreachable' });
    isBroken = false;
    await load();
    expect([error.value, check.value?.check_id]).toEqual([null, checkId]);
  });
});

describe('what is done with a check', () => {
  it('is sent to it, and read again', async () => {
    const { start, abort, judge, holdAgainst } = await setUp();
    asked = [];
    expect(await start()).toBe(checkId);
    expect(asked).toEqual(['POST /commissioning/start', 'GET /commissioning']);
    await judge({ device_id: thermometerId, verdict: 'approved' });
    await holdAgainst({ device_id: thermometerId, measurement_id: thermometerId, point: 1, reference: 20 });
    const aborted = abort();
    await settle(100);
    await aborted;
    expect(asked.filter((one) => one.startsWith('POST')).slice(1)).toEqual(
      ['verdict', 'accuracy', 'abort'].map((deed) => `POST /commissioning/${checkId}/${deed}`),
    );
  });

  it('leaves the check alone that is shown by the time of the answer', async () => {
    const { abort, check, chosen } = await setUp();
    const aborted = abort();
    chosen.value = olderId;
    await settle();
    await settle(100);
    await aborted;
    expect(check.value?.check_id).toBe(olderId);
  });

  it('approves several one by one, and shows what was given where one is refused', async () => {
    const { approveAll } = await setUp();
    asked = [];
    const items = [0, null].map((channel) => ({ device_id: thermometerId, channel }));
    await approveAll(items);
    const verdict = `POST /commissioning/${checkId}/verdict`;
    const reading = [`GET /commissioning/${checkId}`, 'GET /commissioning'];
    expect(asked).toEqual([verdict, verdict, ...reading]);
    asked = [];
    isRefusing = true;
    await expect(approveAll(items)).rejects.toMatchObject({ code: 'daemon_unreachable' });
    expect(asked).toEqual([verdict, ...reading]);
  });
});
