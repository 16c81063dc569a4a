// @vitest-environment happy-dom
import { flushPromises, mount } from '@vue/test-utils';
import { createPinia } from 'pinia';
import { describe, expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import { ApiClient, clientKey } from '../../../../../renderer/client/client.ts';
import { usePipes } from '../../../../../renderer/features/map/use-pipes.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { createTranslations } from '../../../../../renderer/i18n/index.ts';
import { useOpenMap } from '../../../../../renderer/stores/map.ts';
import type { PipeRequest } from '../../../../../server/contract/pipe.ts';

const map_uuid = '6f2b8a54-6d43-4f07-9f6e-0c2f3b1d5a10';
const at = '2026-03-01T06:00:00.000Z';

/** The pipes of an open map; requests wait until the test answers them with a plan of some name. */
async function setUp() {
  const asked: { body: PipeRequest; answer: (plan_id: string) => Promise<void>; refuse: () => Promise<void> }[] = [];
  const server: typeof fetch = async (address, options) => {
    const features = { type: 'FeatureCollection', map_uuid, revision: 1, features: [] };
    const place = { name: 'Farm', lat: 0, lng: 0, zoom: 18, layers: {} };
    if (address === `/api/geo/designs/${map_uuid}`)
      return Response.json({ map_uuid, ...place, features, revision: 1, created_at: at, updated_at: at });
    if (address !== '/api/geo/generate-pipes') return new Promise(() => undefined);
    return new Promise((resolve) => {
      const answer = async (plan_id: string): Promise<void> => {
        resolve(Response.json({ plan_id, map_uuid, revision: null, features: [] }));
        await flushPromises();
      };
      const refuse = async (): Promise<void> => {
        resolve(Response.json({ code: 'no_way_for_pipes', detail: '' }, { status: 400 }));
        await flushPromises();
      };
      asked.push({ body: JSON.parse(options?.body as string) as PipeRequest, answer, refuse }); // as it was sent
    });
  };
  let pipes = undefined as ReturnType<typeof usePipes> | undefined; // set by the host
  const host = defineComponent({
    setup() {
      pipes = usePipes();
      return () => h('div');
    },
  });
  const provide = { [clientKey as symbol]: new ApiClient(server) }; // an injection key is a symbol
  mount(host, { global: { plugins: [createPinia(), createTranslations(en)], provide } });
  await useOpenMap().open(map_uuid);
  if (pipes === undefined) throw new Error('the host is mounted');
  const { plan, alternatives, show, ...more } = pipes;
  const shown = async (flow: string): Promise<void> => {
    void show({ device_ids: [flow] });
    await flushPromises();
    await asked.at(-1)?.answer(flow);
  };
  return { asked, plan, alternatives, show, shown, ...more };
}

describe('usePipes', () => {
  it('saves nothing while plans are worked out again by new prices', async () => {
    const { asked, plan, alternatives, shown, keep, priced, save } = await setUp();
    await shown('first');
    keep('Plan 1');
    await shown('second');
    void priced();
    await flushPromises();
    expect(await save()).toBe(false);
    expect(plan.value?.plan_id).toBe('second');
    await asked[2]?.answer('second again');
    expect(await save()).toBe(false);
    await asked[3]?.answer('first again');
    expect([plan.value?.plan_id, alternatives.value[0]?.plan.plan_id]).toEqual(['second again', 'first again']);
    expect(asked.map(({ body: { device_ids, save: isSaved } }) => [...device_ids, isSaved])).toEqual(
      ['first', 'second', 'second', 'first'].map((name) => [name, undefined]),
    );
    void save();
    await flushPromises();
    expect(asked.at(-1)?.body).toMatchObject({ device_ids: ['second'], save: true });
  });

  it('knows which plans have old prices where working them out again ends before its time', async () => {
    const { asked, plan, alternatives, outdated, shown, keep, priced, renew } = await setUp();
    const old = () =>
      [plan.value, ...alternatives.value.map((one) => one.plan)].flatMap((one) =>
        one !== null && outdated.value.has(one) ? one.plan_id : [],
      );
    await shown('first');
    keep('Plan 1');
    await shown('second');
    keep('Plan 2');
    void priced();
    await flushPromises();
    expect(old()).toEqual(['second', 'first', 'second']);
    await asked[2]?.answer('second again');
    await asked[3]?.refuse();
    expect(old()).toEqual(['first', 'second']);
    void renew();
    await flushPromises();
    await asked[4]?.answer('first again');
    await asked[5]?.answer('second once more');
    expect(old()).toEqual([]);
    expect(asked).toHaveLength(6);
  });

  it('shows what was asked for last, whatever comes late', async () => {
    const { asked, plan, show, forget } = await setUp();
    void show({ device_ids: ['old'] });
    await flushPromises();
    forget();
    void show({ device_ids: ['new'] });
    await asked[0]?.answer('old');
    expect([plan.value, asked.length]).toEqual([null, 2]);
    await asked[1]?.answer('new');
    expect(plan.value?.plan_id).toBe('new');
  });
});
