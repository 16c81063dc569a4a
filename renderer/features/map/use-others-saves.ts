import { shallowRef, watch } from 'vue';
import { designEndpoints } from '../../../server/contract/design.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall, type Call } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';
import { useOpenMap } from '../../stores/map.ts';
import { useNotice } from '../../stores/notice.ts';

/**
 * Takes over other users' saves of the open map as soon as `isFree` and nothing is unsaved here: nothing moves during
 * an edit. A save from here before that is merged with theirs anyway.
 */
export function useOthersSaves(mapUuid: () => string, isFree: () => boolean): void {
  const call = useCall();
  const live = useLive();
  const store = useOpenMap();
  const notice = useNotice();
  const { t } = useText();
  /** The revision of this map that the service has reported last; null before. */
  const told = shallowRef<number | null>(null);

  /**
   * Whether the map has another state than is shown; of an earlier revision only where a backup may have been put back.
   */
  const isElsewhere = (): boolean =>
    told.value !== null && (store.isDoubtful() ? told.value !== store.revision() : told.value > store.revision());
  const mayFollow = (): boolean => isFree() && !store.isUnsaved() && isElsewhere();

  live.onSiteChange((change) => {
    if (change.kind !== 'map' || change.map_uuid !== mapUuid() || change.state !== 'living') return;
    told.value = change.revision;
  });
  // A service that was away may come back from a backup.
  watch(
    () => live.stream,
    (_stream, before) => before === 'open' && store.doubt(),
  );
  watch(mapUuid, () => (told.value = null));
  watch(
    () => store.forgotten,
    (now, before) => {
      // What a message offers, such as Undo, is offered nowhere else.
      const isOffer = notice.shown?.action !== undefined;
      if (now > before && !isOffer) notice.done(t('map.undoForgotten'));
    },
  );
  watch([told, isFree, () => store.saveState], () => {
    if (store.design !== null && mayFollow()) void followOthers({ call, store, mapUuid, mayFollow });
  });
}

interface Following {
  call: Call;
  store: ReturnType<typeof useOpenMap>;
  mapUuid: () => string;
  /** Asked again once it is read. */
  mayFollow: () => boolean;
}

/** Reads what others saved on the open map, and takes it over where nothing has come between. */
export async function followOthers({ call, store, mapUuid, mayFollow }: Following): Promise<void> {
  const [asked, since] = [mapUuid(), store.revision()];
  const isStill = (): boolean =>
    store.design?.map_uuid === asked && mapUuid() === asked && store.revision() === since && mayFollow();
  try {
    const changes = await store.changesSince(asked, since);
    if (changes === null) {
      const doubts = store.doubts();
      const read = await call(designEndpoints.get, { params: { map_uuid: asked } });
      if (isStill()) await store.follow(read, doubts, isStill);
    } else if (isStill()) store.followChanges(changes);
  } catch (thrown) {
    if (!isApiError(thrown)) throw thrown; // saving reports a deleted map
  }
}
