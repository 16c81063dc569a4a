import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import { useSubmission, type Submission } from './submission.ts';

export interface Page<Item> {
  items: Item[];
  next_cursor: string | null;
}

export interface Pages<Item, Query> {
  items: ShallowRef<Item[]>;
  hasMore: ComputedRef<boolean>;
  /** False until the first answer. */
  isLoaded: ShallowRef<boolean>;
  submission: Submission;
  /** Restarts with a filter. Late answers to an earlier filter are dropped. */
  filter: (wanted: Query) => Promise<void>;
  more: () => Promise<void>;
}

const pageLength = 100;

/** A long list that the server returns page by page. */
export function usePages<Item, Query extends object>(
  load: (query: Query & { limit: number; cursor?: string }) => Promise<Page<Item>>,
  first: Query,
): Pages<Item, Query> {
  const submission = useSubmission();
  const items = shallowRef<Item[]>([]);
  const cursor = shallowRef<string | null>(null);
  const isLoaded = shallowRef(false);
  let query = first;
  let asked = 0;

  async function page(from: string | null): Promise<void> {
    asked += 1;
    const mine = asked;
    submission.isBusy.value = true;
    submission.forget();
    try {
      const answer = await load({ ...query, limit: pageLength, ...(from !== null && { cursor: from }) });
      if (mine !== asked) return;
      items.value = from === null ? answer.items : [...items.value, ...answer.items];
      cursor.value = answer.next_cursor;
      isLoaded.value = true;
    } catch (thrown) {
      if (mine === asked) submission.error.value = thrown;
    } finally {
      if (mine === asked) submission.isBusy.value = false;
    }
  }

  return {
    items,
    isLoaded,
    submission,
    hasMore: computed(() => cursor.value !== null),
    filter: (wanted) => {
      query = wanted;
      return page(null);
    },
    more: async () => {
      if (cursor.value !== null && !submission.isBusy.value) await page(cursor.value);
    },
  };
}
