import { onScopeDispose, shallowRef } from 'vue';
import type { Feature } from '../../../server/contract/overlay.ts';
import { ApiError, isAborted, isApiError, isRefusal } from '../../client/api-error.ts';
import { idOf } from '../../map/edit-buffer.ts';
import { fitsOneSave, portionsOf } from '../../map/portion.ts';
import { inSlices } from '../../map/slices.ts';
import { useOpenMap } from '../../stores/map.ts';
import { removable } from './removable.ts';

/** The id of a shape is that of one on another map, or was. */
const idTaken: readonly string[] = ['feature_of_other_map', 'in_trash'];

interface Portion {
  features: Feature[];
  saveId: string;
  /** It may be on the map, for its answer was lost. */
  isDoubtful: boolean;
}

/** Shapes on their way to the map. */
interface Sending {
  mapUuid: string | undefined;
  /** Makes the shapes; undefined once they are in portions. */
  make: (() => Feature[] | Promise<Feature[]>) | undefined;
  /** The first goes next; after a lost answer the very same is sent again. */
  portions: Portion[];
  added: Feature[];
  key: string;
  isCalledOff: boolean;
}

interface AddingOptions {
  /** Whether a house occupies a shape. */
  holdsHouse: (id: string) => boolean;
  /**
   * What was added before a refusal, or before it was called off, is taken back; so many of these shapes stay, or may.
   */
  takenBack: (staying: number) => void;
}

/** Adds shapes from elsewhere to the open map, once, however often it has to be tried. */
export function useAdding({ holdsHouse, takenBack }: AddingOptions) {
  const store = useOpenMap();
  /** What is not all on the map yet. */
  let sending: Sending | undefined;
  let running: Sending | undefined;
  /** Shapes that are on the map while more are to come. */
  const addedSoFar = shallowRef(0);

  /**
   * Returns the features that were added. Their ids are kept; where the service knows one of them elsewhere, all that
   * are sent with it get new ones. `make` is called for the first try only. All of them, and edits of the `key` that
   * follow, are one undo step, which leaves those that someone else has changed. Throws ApiError, `payload_too_large`
   * before anything is sent, and an AbortError where it was called off or the map was left; what was added by then is
   * taken back, as after a refusal.
   */
  async function add(
    make: () => Feature[] | Promise<Feature[]>,
    key: string = crypto.randomUUID(),
  ): Promise<Feature[]> {
    const mapUuid = store.design?.map_uuid;
    sending ??= { mapUuid, make, portions: [], added: [], key, isCalledOff: false };
    return store.whileOpen(addAll(sending));
  }

  async function addAll(sent: Sending): Promise<Feature[]> {
    running = sent;
    try {
      if (sent.make !== undefined) sent.portions = await portionsToSend(sent.make);
      sent.make = undefined;
      if (sent.isCalledOff) throw calledOff();
      for (let [portion] = sent.portions; portion !== undefined; [portion] = sent.portions) {
        await addPortion(portion, sent);
        arrived(sent);
        addedSoFar.value = sent.added.length;
        if (sent.isCalledOff) throw calledOff();
      }
    } catch (thrown) {
      const before = sent.added.length;
      if (sent.make !== undefined && sending === sent) sending = undefined; // nothing of it can be sent
      sent.isCalledOff ||= isAborted(thrown);
      if (sent.isCalledOff || (isRefusal(thrown) && before > 0)) await takeBack(sent);
      throw sent.isCalledOff ? calledOff() : countedFrom(thrown, before);
    } finally {
      running = undefined;
      addedSoFar.value = 0;
    }
    if (sending === sent) sending = undefined;
    return sent.added;
  }

  async function addPortion(portion: Portion, sent: Sending): Promise<void> {
    try {
      await send(portion, sent);
    } catch (thrown) {
      if (!isApiError(thrown) || !idTaken.includes(thrown.code)) throw thrown;
      portion.features = portion.features.map(renewed);
      portion.saveId = crypto.randomUUID();
      await send(portion, sent);
    }
  }

  async function send(portion: Portion, sent: Sending): Promise<void> {
    if (store.design?.map_uuid !== sent.mapUuid) throw calledOff();
    try {
      await store.add(portion.features, portion.saveId, sent.key);
    } catch (thrown) {
      portion.isDoubtful = mayHaveArrived(thrown, portion.isDoubtful);
      throw thrown;
    }
  }

  async function takeBack(sent: Sending): Promise<void> {
    if (sending === sent) sending = undefined;
    const [next] = sent.portions;
    // Sent once more it is either known to be on the map, and goes with the others, or known not to be.
    if (next?.isDoubtful === true) {
      const isOnMap = await send(next, sent).then(
        () => true,
        () => false,
      );
      if (isOnMap) arrived(sent);
    }
    const unknown = next?.isDoubtful === true && sent.portions[0] === next ? next.features.length : 0;
    if (store.design?.map_uuid !== sent.mapUuid) return takenBack(sent.added.length + unknown);
    store.change({ put: [], remove: removable(sent.added, { find: store.find, holdsHouse }) }, sent.key);
    takenBack(sent.added.filter((one) => store.find(idOf(one)) !== undefined).length + unknown);
  }

  /** Other shapes are to be added from now on; what is under way is called off. */
  function forget(): void {
    const sent = sending;
    sending = undefined;
    if (sent === undefined) return;
    if (sent === running) sent.isCalledOff = true;
    else if (sent.added.length > 0 || sent.portions[0]?.isDoubtful === true) void store.whileOpen(takeBack(sent));
  }

  onScopeDispose(forget);

  return { add, addedSoFar, forget };
}

/** The next portion is on the map. */
function arrived(sent: Sending): void {
  sent.added = sent.added.concat(sent.portions.shift()?.features ?? []);
}

function calledOff(): DOMException {
  return new DOMException('adding was called off', 'AbortError');
}

/** Whether a portion that failed so may be on the map. */
function mayHaveArrived(thrown: unknown, before: boolean): boolean {
  if (!isApiError(thrown)) return before;
  if (isRefusal(thrown)) return thrown.code === 'save_id_reused';
  // Nothing was sent.
  if (thrown.code === 'unsent' || thrown.code === 'conflict') return before;
  return true;
}

async function portionsToSend(make: NonNullable<Sending['make']>): Promise<Portion[]> {
  const portions = await inSlices(portionsOf(await make()));
  const isTooMuch = portions.some((features) => features.length === 1 && !fitsOneSave(features));
  if (isTooMuch) throw new ApiError('payload_too_large', 'a shape is more than one save can carry', {});
  return portions.map((features) => ({ features, saveId: crypto.randomUUID(), isDoubtful: false }));
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
