import type { Feature, SaveResult } from '../../server/contract/overlay.ts';
import { isApiError, isOffline, isRefusal } from '../client/api-error.ts';
import { Patience, type Later } from './patience.ts';
import { portionOf, sizeOf } from './portion.ts';
import { refusedIdOf } from './refused-shape.ts';
import type { SaveState } from './save-state.ts';
import { inSlices } from './slices.ts';
import { idOf, type Delta, type EditBuffer, type ServerChanges } from './edit-buffer.ts';

/** Without `deleted` the features are all that there are. */
export type ServerState = { features: Feature[]; revision: number; deleted?: undefined } | ServerChanges;

export interface AutosavePort {
  /** Sends a delta. A repeat of the same saveId must change nothing. Throws ApiError. */
  send(delta: Delta, saveId: string, signal: AbortSignal): Promise<SaveResult>;
  /** What changed on the server since a revision, or its whole state; null asks for that. */
  read(since: number | null, signal: AbortSignal): Promise<ServerState>;
  newId(): string;
  later: Later;
  /**
   * The state changed; `error` explains `rejected` and `delayed`, and `refused` is the shape that `rejected` is about.
   */
  show(state: SaveState, error: unknown, refused?: Feature): void;
  /** Features on the screen were replaced by what someone else saved. */
  replaced(ids: string[]): void;
}

const quietMs = 1_200;
const retryMs = { first: 2_000, most: 30_000 };

/** Why a save is still to be repeated. */
interface Fault {
  state: Extract<SaveState, 'offline' | 'delayed'>;
  error: unknown;
}

/** A failure after which the very same save is sent again by itself; undefined for a refusal. */
function passingFault(error: unknown): Fault | undefined {
  if (!isApiError(error)) return undefined;
  if (isOffline(error) || error.code === 'authentication_required') return { state: 'offline', error };
  return isRefusal(error) ? undefined : { state: 'delayed', error };
}

/** How long the server asks to wait, ms. */
function askedMs(error: unknown): number {
  return isApiError(error) ? (error.retryAfter_s ?? 0) * 1_000 : 0;
}

/** The map has changed; `save_id_reused`: the save arrived before another user logged in here. */
function isOvertaken(code: string): boolean {
  return code === 'revision_conflict' || code === 'save_id_reused';
}

/**
 * The map is not what this page takes it for: the service came back from a backup without a shape that was changed
 * here, or another page has saved what this one adds.
 */
function isMistaken(code: string): boolean {
  return code === 'not_found' || code === 'duplicate_feature';
}

interface Sending {
  delta: Delta;
  /** More is to be saved than one save can carry. */
  isPart: boolean;
  saveId: string;
}

/** Saves what changed after a moment of quiet, one save at a time, and repeats until the server has answered. */
export class Autosave {
  readonly #buffer: EditBuffer;
  readonly #port: AutosavePort;
  readonly #patience: Patience;
  #sent: Sending | undefined;
  #fault: Fault = { state: 'offline', error: undefined };
  /** Others saved before us what is not read yet. */
  #isBehind = false;
  /** A save was refused so: the map is read whole, and the refusal counts when it comes again after that. */
  #isMistaken = false;
  #isBusy = false;
  #isStopped = false;
  #retryInMs = retryMs.first;
  #callOff: () => void = () => undefined;

  constructor(buffer: EditBuffer, port: AutosavePort) {
    this.#buffer = buffer;
    this.#port = port;
    this.#patience = new Patience(port.later);
  }

  /** True while something here is not on the server. */
  get isUnsaved(): boolean {
    return this.#sent !== undefined || this.#buffer.conflicts.length > 0 || this.#buffer.pending() !== null;
  }

  /** Something was edited. */
  touched(): void {
    if (this.#isBusy || this.#isStopped) return;
    this.#settle();
    if (this.isUnsaved) this.#plan(quietMs);
  }

  /** Saves now. */
  async flush(): Promise<void> {
    this.#callOff();
    if (this.#isBusy || this.#isStopped) return;
    const next = this.#sent ?? this.#next();
    if (next === undefined && !this.#isBehind) {
      this.#settle();
      return;
    }
    this.#isBusy = true;
    this.#sent = next;
    if (next !== undefined) this.#port.show('saving', undefined);
    try {
      const bytes = next === undefined ? 0 : sizeOf(next.delta);
      await this.#patience.during((signal) => this.#exchange(next, signal), bytes);
    } catch (error) {
      this.#isBusy = false;
      this.#failed(error);
      return;
    }
    this.#isBusy = false;
    this.#retryInMs = retryMs.first;
    if (this.#buffer.pending() === null) this.#isMistaken = false;
    this.touched();
    if (next?.isPart === true) await this.flush();
  }

  /**
   * Takes over features that another call has added to the map, as an undo step, which following edits of the
   * key join. Returns the ids of those that are new here.
   */
  takeIn(added: Feature[], revision: number, key?: string): string[] {
    if (revision <= this.#buffer.revision) {
      this.#buffer.noteAdded(added.map(idOf), key);
      return [];
    }
    const ids = this.#buffer.put(added, key);
    this.#saved({ added, modified: [], deleted: [], revision: this.#buffer.revision }, revision);
    if (this.#isBehind && !this.#isBusy) this.#plan(0);
    return ids;
  }

  /** Reads what others saved. */
  async takeTheirs(): Promise<void> {
    this.#isBehind = true;
    await this.flush();
  }

  /** Ends; nothing is saved afterwards. */
  stop(): void {
    this.#isStopped = true;
    this.#callOff();
  }

  #next(): Sending | undefined {
    const delta = this.#buffer.pending();
    if (delta === null) return undefined;
    const portion = portionOf(delta);
    return { delta: portion, isPart: portion !== delta, saveId: this.#port.newId() };
  }

  async #exchange(next: Sending | undefined, signal: AbortSignal): Promise<void> {
    if (next !== undefined) await this.#send(next, signal);
    if (this.#isBehind) await this.#takeTheirs(signal);
  }

  async #send({ delta, saveId }: Sending, signal: AbortSignal): Promise<void> {
    try {
      const { revision } = await this.#port.send(delta, saveId, signal);
      signal.throwIfAborted();
      this.#saved(delta, revision);
    } catch (error) {
      if (signal.aborted || !isApiError(error)) throw error;
      const isNewMistake = isMistaken(error.code) && (this.#isBehind || !this.#isMistaken);
      if (!isOvertaken(error.code) && !isNewMistake) throw error;
      this.#isMistaken ||= isNewMistake;
      this.#isBehind = true;
    }
    this.#sent = undefined;
  }

  #saved(delta: Delta, revision: number): void {
    this.#isBehind ||= revision > delta.revision + 1;
    // The buffer is of a later revision only once it holds what others saved before it, else it would overwrite that.
    this.#buffer.saved(delta, this.#isBehind ? delta.revision : revision);
  }

  async #takeTheirs(signal: AbortSignal): Promise<void> {
    const theirs = await this.#port.read(this.#isMistaken ? null : this.#buffer.revision, signal);
    signal.throwIfAborted();
    const changed =
      theirs.deleted === undefined
        ? await inSlices(this.#buffer.rebase(theirs.features, theirs.revision, () => !signal.aborted))
        : this.#buffer.rebaseChanges(theirs);
    signal.throwIfAborted();
    this.#port.replaced(changed ?? []);
    this.#isBehind = false;
  }

  #failed(error: unknown): void {
    const fault = passingFault(error);
    if (fault !== undefined) {
      this.#fault = fault;
      this.#port.show(fault.state, error);
      this.#plan(Math.max(this.#retryInMs, askedMs(error)));
      this.#retryInMs = Math.min(this.#retryInMs * 2, retryMs.most);
      return;
    }
    const id = this.#sent && refusedIdOf(error, this.#sent.delta);
    const refused = id === undefined ? undefined : this.#buffer.unsaved().find((one) => one.id === id);
    // The next edit makes another delta, so do not keep this one.
    this.#sent = undefined;
    this.#port.show('rejected', error, refused?.after ?? refused?.before ?? undefined);
  }

  #settle(): void {
    if (this.#buffer.conflicts.length > 0) this.#port.show('conflict', undefined);
    else if (this.#sent !== undefined) this.#port.show(this.#fault.state, this.#fault.error);
    else this.#port.show(this.#buffer.pending() === null ? 'saved' : 'unsaved', undefined);
  }

  #plan(ms: number): void {
    this.#callOff();
    this.#callOff = this.#port.later(() => void this.flush(), ms);
  }
}
