import { computed, shallowRef, watch, type Ref } from 'vue';
import { designEndpoints, type Design, type MapRevision } from '../../../server/contract/design.ts';
import { useCall } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useNotice } from '../../stores/notice.ts';
import { usePages } from '../../ui/pages.ts';
import { useSubmission } from '../../ui/submission.ts';

export type MapHistory = ReturnType<typeof useMapHistory>;

/** The saves of the open map: looked at one by one, and brought back. */
export function useMapHistory(mapUuid: Readonly<Ref<string>>) {
  const call = useCall();
  const { t } = useText();
  const store = useOpenMap();
  const notice = useNotice();
  const pages = usePages<MapRevision, object>(async (query) => {
    const { history, next_cursor } = await call(designEndpoints.history, { params: params(), query });
    return { items: history, next_cursor };
  }, {});
  const work = useSubmission();
  const isOpen = shallowRef(false);
  /** The earlier state on screen; null for the present map. */
  const earlier = shallowRef<Design | null>(null);
  /** Of what was asked for; an answer that comes when something else is wanted is dropped. */
  let wanted: number | null = null;
  const newest = computed(() => pages.items.value[0]?.revision ?? 0);

  const params = (): { map_uuid: string } => ({ map_uuid: mapUuid.value });

  /** The latest drawing is in the list too. */
  async function open(): Promise<void> {
    isOpen.value = true;
    await store.flush();
    await pages.filter({});
  }

  function toNow(): void {
    wanted = null;
    earlier.value = null;
  }

  function close(): void {
    isOpen.value = false;
    toNow();
    work.forget();
  }

  /** Back to the present map, and out from there. */
  function leave(): void {
    if (earlier.value === null) close();
    else toNow();
  }

  async function look(revision: number): Promise<void> {
    toNow();
    work.forget();
    if (revision === newest.value) return;
    wanted = revision;
    try {
      const read = await call(designEndpoints.revision, { params: { ...params(), revision } });
      if (wanted === revision && read.map_uuid === mapUuid.value) earlier.value = read;
    } catch (thrown) {
      if (wanted === revision) work.error.value = thrown;
    }
  }

  /** As a new revision, which can be undone like any other. */
  async function restore(revision: number): Promise<void> {
    await store.flush();
    if (store.isUnsaved()) {
      notice.problem(t('map.history.unsaved'));
      return;
    }
    await work.run(async () => {
      const restored = await call(designEndpoints.restoreRevision, { params: { ...params(), revision } });
      await store.follow(restored);
      toNow();
      await pages.filter({});
      const undo = { label: t('ui.undo'), run: () => void restore(restored.revision - 1) };
      notice.done(t('map.history.restored'), newest.value === restored.revision ? undo : undefined);
    });
  }

  watch(
    () => store.saveState,
    (state) => {
      if (isOpen.value && state === 'saved') void pages.filter({});
    },
  );
  watch(mapUuid, close);

  return { ...pages, work, isOpen, earlier, newest, open, close, leave, look, restore };
}
