import { shallowRef } from 'vue';
import { useClient } from '../client/client.ts';
import type { Change, EditBuffer } from '../map/edit-buffer.ts';
import { Journal, putBack, type JournalEntry } from '../map/journal.ts';
import { useSession } from './session.ts';

/** Keeps unsaved edits of the open map beyond the life of its page, and finds those an earlier page left. */
export function useMapJournal(restored: (ids: string[]) => void) {
  const session = useSession();
  const clock = useClient().clock;
  /** Edits that an earlier page could not save. */
  const left = shallowRef<JournalEntry[]>([]);
  let open: { map_uuid: string; journal: Journal; buffer: EditBuffer } | undefined;
  let closing: Promise<void> | undefined;

  function begin(map_uuid: string, buffer: EditBuffer): void {
    open = { map_uuid, journal: new Journal(forgotten), buffer };
    void find(open);
  }

  /** Two pages must not both bring back the same. */
  function forgotten(pages: readonly string[]): void {
    left.value = left.value.filter(({ page }) => !pages.includes(page));
  }

  /** Records all unsaved edits. */
  function note(): void {
    const username = session.user?.username;
    if (open === undefined || username === undefined) return;
    const { map_uuid, journal, buffer } = open;
    journal.note({ map_uuid, username, written_at_ms: clock.now(), changes: buffer.unsaved() });
  }

  function end(): void {
    closing = open?.journal.close();
    open = undefined;
    left.value = [];
  }

  async function find(of: NonNullable<typeof open>): Promise<void> {
    const username = session.user?.username;
    if (username === undefined) return;
    await closing; // until then the earlier page counts as active
    const entries = await of.journal.left(of.map_uuid, username);
    if (open !== of) return;
    const isMissing = (changes: readonly Change[]): boolean => of.buffer.missing(changes).length > 0;
    left.value = entries.filter(({ changes }) => isMissing(changes));
    await of.journal.forget(entries.filter((one) => !left.value.includes(one)));
  }

  /** Redoes the edits of earlier pages. */
  async function restore(): Promise<void> {
    if (open === undefined) return;
    const of = open;
    const { journal, buffer } = of;
    const entries = left.value;
    left.value = [];
    restored(entries.flatMap(({ changes }) => buffer.restore(changes)));
    // Drop them only once this page's own entry holds them.
    if ((await journal.settled()) && open === of) await journal.forget(entries);
  }

  /** Drops the edits of earlier pages; returns what offers them again. */
  function discard(): () => Promise<void> {
    const of = open;
    const entries = left.value;
    left.value = [];
    const dropped = of?.journal.forget(entries);
    return async () => {
      await dropped;
      await putBack(entries);
      if (open === of) left.value = [...left.value, ...entries];
    };
  }

  return { left, begin, note, end, restore, discard };
}
