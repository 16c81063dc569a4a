// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { nextTick } from 'vue';
import PidBench from '../../../../../renderer/features/control/PidBench.vue';
import { useLive } from '../../../../../renderer/stores/live.ts';
import { mounted } from '../../ui/mounted.ts';
import { heating } from './heating-pid.ts';

it('says of its numbers that they are old once the connection is lost', async () => {
  const bench = mounted(PidBench, { props: { pid: heating } });
  const live = useLive();
  live.stream = 'open';
  await nextTick();
  expect(bench.findAll('.not-current')).toEqual([]);
  live.stream = 'lost';
  await nextTick();
  expect(bench.text()).toContain('lost its connection');
  expect(bench.findAll('.not-current')).toHaveLength(2);
});
