import { shallowRef } from 'vue';
import type { Feature } from '../../../server/contract/overlay.ts';
import { ApiError, isApiError, isRefusal } from '../../client/api-error.ts';
import { idOf } from '../../map/edit-buffer.ts';
import { fitsOneSave, portionsOf } from '../../map/portion.ts';
import { useOpenMap } from '../../stores/map.ts';

/** The id of a shape is that of one on another map, or was. */
const idTaken: readonly string[] = ['feature_of_other_map', 'in_trash'];

/** Shapes on their way to the map. */
interface Sending {
  /** The first goes next; after a lost answer the very same is sent again. */
  portions: { features: Feature[]; saveId: string }[];
  added: Feature[];
  key: string;
  isCalledOff: boolean;
}

/** Adds shapes from elsewhere to the open map, once, however often it has to be tried. */
export function useAdding() {
  const store = useOpenMap();
  /** What is not all on the map yet. */
  let sending: Sending | undefined;
  let running: Sending | undefined;
  /** Shapes that are on the map while more are to come. */
  const addedSoFar = shallowRef(0);

  /**
   * Returns the features that were added. Their ids are kept; where the service knows one of them elsewhere, all that are
   * sent with it get new ones. `make` is called for the first try only. All of them, and edits of the `key` that follow, are
   * one undo step. Throws ApiError, `payload_too_large` before anything is sent, and an AbortError where it was called off;
   * nothing stays of what is refused or called off.
   */
  async function add(make: () => Feature[], key: string = crypto.randomUUID()): Promise<Feature[]> {
    const sent = (sending ??= sendingOf(make(), key));
    running = sent;
    try {
      for (let [portion] = sent.portions; portion !== undefined; [portion] = sent.portions) {
        await addPortion(portion, sent.key);
        sent.portions.shift();
        sent.added = sent.added.concat(portion.features);
        addedSoFar.value = sent.added.length;
        if (sent.isCalledOff) throw new DOMException('adding was called off', 'AbortError');
      }
    } catch (thrown) {
      const before = sent.added.length;
      if (sent.isCalledOff || (isRefusal(thrown) && before > 0)) takeBack(sent);
      throw countedFrom(thrown, before);
    } finally {
      running = undefined;
      addedSoFar.value = 0;
    }
    if (sending === sent) sending = undefined;
    return sent.added;
  }

  async function addPortion(portion: Sending['portions'][number], key: string): Promise<void> {
    try {
      await store.add(portion.features, portion.saveId, key);
    } catch (thrown) {
      if (!isApiError(thrown) || !idTaken.includes(thrown.code)) throw thrown;
      portion.features = portion.features.map(renewed);
      portion.saveId = crypto.randomUUID();
      await store.add(portion.features, portion.saveId, key);
    }
  }

  function takeBack(sent: Sending): void {
    store.change({ put: [], remove: sent.added.map(idOf) }, sent.key);
    if (sending === sent) sending = undefined;
  }

  return {
    add,
    addedSoFar,
    /** Ends an `add` that is under way, once what is being sent has arrived. */
    callOff: (): void => {
      if (running !== undefined) running.isCalledOff = true;
    },
    /** Other shapes are to be added from now on. */
    forget: (): void => {
      if (sending !== undefined && sending !== running) takeBack(sending);
      sending = undefined;
    },
  };
}

function sendingOf(features: Feature[], key: string): Sending {
  const portions = portionsOf(features).map((own) => ({ features: own, saveId: crypto.randomUUID() }));
  const isTooMuch = portions.some((one) => one.features.length === 1 && !fitsOneSave(one.features));
  if (isTooMuch) throw new ApiError('payload_too_large', 'a shape is more than one save can carry', {});
  return { portions, added: [], key, isCalledOff: false };
}

function renewed(feature: Feature): Feature {
  return { ...feature, properties: { ...feature.properties, unique_id: crypto.randomUUID() } };
}

/** A refusal of a portion, with its shapes counted from the first of all. */
function countedFrom(error: unknown, before: number): unknown {
  if (!isApiError(error) || error.problem === undefined || before === 0) return error;
  const errors = error.fields.map((field) => ({
    ...field,
    path: field.path.replace(/^added\[(\d+)\]/, (_, at) => `added[${Number(at) + before}]`),
  }));
  const { code, message, status, problem, retryAfter_s } = error;
  return new ApiError(code, message, { status, problem: { ...problem, errors }, retryAfter_s, cause: error });
}
