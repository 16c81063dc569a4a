// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it } from 'vitest';
import { defineComponent } from 'vue';
import { useNotes } from '../../../../../renderer/features/trends/use-notes.ts';
import type { Note } from '../../../../../server/contract/note.ts';
import { mounted } from '../../ui/mounted.ts';

const span = { from_ms: Date.UTC(2026, 5, 1, 11), to_ms: Date.UTC(2026, 5, 1, 12) };

it('has a note that is added at the end of the span', async () => {
  const kept: Partial<Note>[] = [];
  /** As the service: from a time on, and before another. */
  const server: typeof fetch = (address, init) => {
    if (typeof init?.body === 'string') {
      const note = { ...(JSON.parse(init.body) as Partial<Note>), unique_id: `note ${kept.length}` }; // what the page sent
      kept.push(note);
      return Promise.resolve(Response.json(note));
    }
    const { searchParams } = new URL(typeof address === 'string' ? address : '', 'https://here');
    const [from, to] = [searchParams.get('from') ?? '', searchParams.get('to') ?? ''];
    const notes = kept.filter(({ time = '' }) => time >= from && time < to);
    return Promise.resolve(Response.json({ notes, next_cursor: null }));
  };
  const made: { used?: ReturnType<typeof useNotes> } = {};
  const page = defineComponent(() => {
    made.used = useNotes(() => span);
    return () => null;
  });
  mounted(page, { fetch: server });
  await made.used?.add('Vents oiled', span.to_ms);
  await flushPromises();
  expect(made.used?.notes.value.map(({ text }) => text)).toEqual(['Vents oiled']);
});
