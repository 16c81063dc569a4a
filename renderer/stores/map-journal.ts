import { shallowRef } from 'vue';
import { useClient } from '../client/client.ts';
import type { Change, EditBuffer } from '../map/edit-buffer.ts';
import { Journal, type JournalEntry } from '../map/journal.ts';
import { useSession } from './session.ts';

/** Keeps what is unsaved of the open map beyond the life of its page, and finds what an earlier opening of it left. */
export function useMapJournal(restored: (ids: string[]) => void) {
  const session = useSession();
  const clock = useClient().clock;
  /** Edits that an earlier opening could not save. */
  const left = shallowRef<JournalEntry[]>([]);
  let open: { map_uuid: string; journal: Journal; buffer: EditBuffer } | undefined;
  let closing: Promise<void> | undefined;

  function begin(map_uuid: string, buffer: EditBuffer): void {
    open = { map_uuid, journal: new Journal(), buffer };
    void find(open);
  }

  /** Takes note of all that is unsaved. */
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
    await closing; // until then the opening before counts as under way
    const entries = await of.journal.left(of.map_uuid, username);
    if (open !== of) return;
    const isMissing = (changes: readonly Change[]): boolean => of.buffer.missing(changes).length > 0;
    left.value = entries.filter(({ changes }) => isMissing(changes));
    await of.journal.forget(entries.filter((one) => !left.value.includes(one)));
  }

  /** Makes the edits of earlier openings again, or drops them. */
  async function settle(isWanted: boolean): Promise<void> {
    if (open === undefined) return;
    const { journal, buffer } = open;
    const entries = left.value;
    left.value = [];
    if (isWanted) {
      restored(entries.flatMap(({ changes }) => buffer.restore(changes)));
      // They are dropped only when this opening's entry holds them.
      if (!(await journal.settled())) return;
    }
    await journal.forget(entries);
  }

  return { left, begin, note, end, settle };
}
