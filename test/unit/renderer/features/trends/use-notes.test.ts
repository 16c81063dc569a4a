// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { expect, it, vi } from 'vitest';
import { defineComponent, h, shallowRef } from 'vue';
import { useNotes } from '../../../../../renderer/features/trends/use-notes.ts';
import { useSession } from '../../../../../renderer/stores/session.ts';
import type { Note } from '../../../../../server/contract/note.ts';
import { mounted } from '../../ui/mounted.ts';

const session = { user: { username: 'kim' }, csrf_token: '', notes: [] };
const logIn = () => useSession().login({ username: 'kim', password: 'a long password' });
const span = { from_ms: Date.UTC(2026, 5, 1, 11), to_ms: Date.UTC(2026, 5, 1, 12) };

it('has a note that is added at the end of the span', async () => {
  const kept: Partial<Note>[] = [];
  /** As the service: from a time on, and before another. */
  const server: typeof fetch = (address, init) => {
    if (address === '/api/auth/login')
      return Promise.resolve(Response.json({ ...session, permissions: ['view_stats'] }));
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
  await logIn();
  await made.used?.add('Vents oiled', span.to_ms);
  await flushPromises();
  expect(made.used?.notes.value.map(({ text }) => text)).toEqual(['Vents oiled']);
});

it.each([
  { permissions: ['view_stats'], times: 2 },
  { permissions: [], times: 0 },
])('asks $times times for the notes of two spans with $permissions', async ({ permissions, times }) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const asked: string[] = [];
  const shown = shallowRef({ from_ms: 0, to_ms: 1_000 });
  const isOpen = shallowRef(false);
  const notes = defineComponent(() => {
    useNotes(() => shown.value);
    return () => null;
  });
  const page = mounted(
    defineComponent(() => () => (isOpen.value ? h(notes) : null)),
    {
      fetch: async (address) => {
        asked.push((address as string).split('?')[0] ?? '');
        return Response.json({ ...session, permissions });
      },
    },
  );
  await logIn();
  isOpen.value = true;
  for (const to_ms of [1_000, 2_000]) {
    shown.value = { from_ms: 0, to_ms };
    await flushPromises();
    await vi.advanceTimersByTimeAsync(1_000);
    await flushPromises();
  }
  expect(asked.filter((path) => path === '/api/notes')).toHaveLength(times);
  page.unmount();
  vi.useRealTimers();
});
