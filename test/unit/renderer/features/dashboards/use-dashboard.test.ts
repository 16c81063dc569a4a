// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { beforeEach, describe, expect, it } from 'vitest';
import { defineComponent, h, shallowRef } from 'vue';
import { useDashboard } from '../../../../../renderer/features/dashboards/use-dashboard.ts';
import type { Widget } from '../../../../../server/contract/dashboard.ts';
import { mounted } from '../../ui/mounted.ts';

const id = (digit: number): string => `00000000-0000-4000-8000-00000000000${digit}`;
const text = (said: string): Widget => ({ kind: 'text', id: 'w', column: 0, row: 0, columns: 6, rows: 3, text: said });

describe('an edit of a dashboard', () => {
  const asked = shallowRef(id(1));
  /** What the service answers, by its method and the end of its address; a promise keeps it waiting. */
  let answers: Map<string, Promise<object> | object>;
  let used: ReturnType<typeof useDashboard>;

  const kept = (digit: number, said: string, updated_at = '2026-01-01T00:00:00.000Z'): object => ({
    unique_id: id(digit),
    name: `Board ${digit}`,
    widgets: [text(said)],
    created_at: '2026-01-01T00:00:00.000Z',
    updated_at,
  });
  const shown = (): unknown[] => used.widgets.value.map((one) => one.kind === 'text' && one.text);

  beforeEach(async () => {
    asked.value = id(1);
    answers = new Map<string, object>([
      [`GET ${id(1)}`, kept(1, 'one')],
      [`GET ${id(2)}`, kept(2, 'two')],
    ]);
    const page = defineComponent({
      setup() {
        used = useDashboard(() => asked.value);
        return () => h('p');
      },
    });
    mounted(page, {
      fetch: async (address, init) => {
        const path = String(address instanceof Request ? address.url : address);
        return Response.json(await answers.get(`${init?.method ?? 'GET'} ${path.slice(-36)}`));
      },
    });
    await flushPromises();
  });

  it('stays while the dashboard is read again', async () => {
    expect(shown()).toEqual(['one']);
    used.begin();
    used.widgets.value = [text('mine')];
    answers.set(`GET ${id(1)}`, kept(1, 'theirs', '2026-01-02T00:00:00.000Z'));
    await used.load();
    expect(shown()).toEqual(['mine']);
    used.discard();
    await used.load();
    expect(shown()).toEqual(['theirs']);
  });

  it('ends when another is opened, whose widgets no late answer replaces', async () => {
    let answer: (written: object) => void = () => undefined;
    answers.set(`PATCH ${id(1)}`, new Promise<object>((resolve) => (answer = resolve)));
    used.begin();
    used.widgets.value = [text('mine')];
    const saving = used.save();
    asked.value = id(2);
    await flushPromises();
    answer(kept(1, 'mine'));
    await saving;
    expect(used.isEditing.value).toBe(false);
    expect(used.dashboard.value?.name).toBe('Board 2');
    expect(shown()).toEqual(['two']);
  });
});
