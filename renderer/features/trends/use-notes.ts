import { watchDebounced } from '@vueuse/core';
import { shallowRef, type ShallowRef } from 'vue';
import { noteEndpoints, type Note } from '../../../server/contract/note.ts';
import type { Span } from '../../chart/night.ts';
import { useCall } from '../../client/client.ts';
import { useSession } from '../../stores/session.ts';

const restMs = 300;
/** More would hide the chart; the newest are shown. */
const mostNotes = 100;

/** The notes of a span, for whoever may read them, and a function that adds one. */
export function useNotes(span: () => Span): {
  notes: ShallowRef<readonly Note[]>;
  error: ShallowRef<unknown>;
  /** Rejects with the service's error. */
  add: (text: string, atMs: number) => Promise<void>;
} {
  const call = useCall();
  const session = useSession();
  const notes = shallowRef<readonly Note[]>([]);
  const error = shallowRef<unknown>(null);
  let asked = 0;

  async function load(): Promise<void> {
    if (!session.can('view_stats')) return;
    const mine = (asked += 1);
    // The list ends before `to`, and a note of now lies at the very end of the span.
    const [from, to] = [new Date(span().from_ms).toISOString(), new Date(span().to_ms + 1).toISOString()];
    try {
      const found = await call(noteEndpoints.list, { query: { from, to, limit: mostNotes } });
      if (mine !== asked) return;
      notes.value = found.notes;
      error.value = null;
    } catch (thrown) {
      if (mine === asked) error.value = thrown;
    }
  }

  async function add(text: string, atMs: number): Promise<void> {
    await call(noteEndpoints.create, { body: { text, time: new Date(atMs).toISOString() } });
    await load();
  }

  watchDebounced(() => JSON.stringify(span()), load, { debounce: restMs, immediate: true });
  return { notes, error, add };
}
