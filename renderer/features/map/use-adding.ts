import type { Feature } from '../../../server/contract/overlay.ts';
import { ApiError, isApiError } from '../../client/api-error.ts';
import { fitsOneSave } from '../../map/portion.ts';
import { useOpenMap } from '../../stores/map.ts';

/** The id of a shape is that of one on another map, or was. */
const idTaken: readonly string[] = ['feature_of_other_map', 'in_trash'];

/** Adds shapes from elsewhere to the open map, once, however often it has to be tried. */
export function useAdding() {
  const store = useOpenMap();
  /** What was sent last: after a lost answer the very same is sent again. */
  let sent: { features: Feature[]; saveId: string } | undefined;

  /**
   * Returns the features that were added. Their ids are kept; where the service knows one of them elsewhere, all get new
   * ones. `make` is called for the first try only. Edits of the `key` that follow join the undo step. Throws ApiError,
   * `payload_too_large` before anything is sent.
   */
  async function add(make: () => Feature[], key?: string): Promise<Feature[]> {
    sent ??= { features: make(), saveId: crypto.randomUUID() };
    if (!fitsOneSave(sent.features)) throw new ApiError('payload_too_large', 'more than one save can carry', {});
    try {
      await store.add(sent.features, sent.saveId, key);
    } catch (thrown) {
      if (!isApiError(thrown) || !idTaken.includes(thrown.code)) throw thrown;
      sent = { features: sent.features.map(renewed), saveId: crypto.randomUUID() };
      await store.add(sent.features, sent.saveId, key);
    }
    const { features } = sent;
    sent = undefined;
    return features;
  }

  return {
    add,
    /** Other shapes are to be added from now on. */
    forget: (): void => {
      sent = undefined;
    },
  };
}

function renewed(feature: Feature): Feature {
  return { ...feature, properties: { ...feature.properties, unique_id: crypto.randomUUID() } };
}
