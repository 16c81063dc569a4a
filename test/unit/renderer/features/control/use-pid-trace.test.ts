// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent, ref, watch } from 'vue';
import { usePidTrace } from '../../../../../renderer/features/control/use-pid-trace.ts';
import { mounted } from '../../ui/mounted.ts';
import { heating, id } from './heating-pid.ts';
import { eventually } from '../../../../support/eventually.ts';

it('keeps the values of the span that was chosen last, in whatever order they are answered', async () => {
  const answers: ((value: number) => void)[] = [];
  const fetch = (): Promise<Response> =>
    new Promise((resolve) => {
      answers.push((value) => {
        const series = { device_id: id, measurement_id: id, unit: 'C', times: [1_000], values: [value] };
        resolve(Response.json({ series: [series] }));
      });
    });
  const minutes = ref(30);
  const seen: (number | null | undefined)[] = [];
  const chart = defineComponent(() => {
    const trace = usePidTrace(
      () => heating,
      () => 'C',
      () => minutes.value,
    );
    watch(
      () => trace.values.value[1]?.values[0],
      (value) => seen.push(value),
    );
    return () => null;
  });
  mounted(chart, { fetch });
  minutes.value = 120;
  await eventually(() => expect(answers).toHaveLength(2));
  answers[1]?.(20);
  await eventually(() => expect(seen).toEqual([20]));
  answers[0]?.(5);
  minutes.value = 5;
  await eventually(() => expect(answers).toHaveLength(3));
  answers[2]?.(22);
  await eventually(() => expect(seen).toEqual([20, 22]));
});
