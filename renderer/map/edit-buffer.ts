import type { Feature } from '../../server/contract/overlay.ts';
import { isSame } from '../../server/contract/plain-data.ts';

/** One feature before and after; null where it was not there. */
export interface Change {
  id: string;
  before: Feature | null;
  after: Feature | null;
}

/** Features to put in place of those with their ids, and ids of those to take out. */
export interface Edit {
  put: readonly Feature[];
  remove: readonly string[];
}

/** The changes to send so that the server has the present state. */
export interface Delta {
  added: Feature[];
  modified: Feature[];
  deleted: string[];
  revision: number;
}

/** What the server has otherwise than at the revision of a buffer. */
export interface ServerChanges {
  features: readonly Feature[];
  deleted: readonly string[];
  revision: number;
}

/** A feature that was changed here and by someone else since the same saved state. */
export interface Conflict {
  id: string;
  base: Feature | null;
  mine: Feature | null;
  theirs: Feature | null;
}

export type ConflictSide = 'mine' | 'theirs' | 'both';

interface Step {
  /** Following steps of the same key join this one, so that typing a name is one step. */
  key: string | undefined;
  changes: Change[];
}

const mostSteps = 200;

/**
 * The features of an open map with undo, and the difference to what the server has. Features are never changed in
 * place: each edit puts a new object. Pure: it saves nothing and knows no clock.
 */
export class EditBuffer {
  readonly #current = new Map<string, Feature>();
  /** What the server has of the ids that were changed here; of all others it has what is current. */
  readonly #base = new Map<string, Feature | undefined>();
  readonly #conflicts = new Map<string, Conflict>();
  /** Of each comparison under way the ids that it has to take over: what changes meanwhile is one of them. */
  readonly #comparisons = new Set<Set<string>>();
  #undo: Step[] = [];
  #redo: Step[] = [];
  #forgotten = 0;
  #revision: number;

  constructor(features: Iterable<Feature>, revision: number) {
    for (const feature of features) this.#current.set(idOf(feature), feature);
    this.#revision = revision;
  }

  get revision(): number {
    return this.#revision;
  }

  get canUndo(): boolean {
    return this.#undo.length > 0;
  }

  get canRedo(): boolean {
    return this.#redo.length > 0;
  }

  /** How many steps can no longer be undone, or not whole, for someone else changed a shape of theirs. */
  get forgotten(): number {
    return this.#forgotten;
  }

  get conflicts(): Conflict[] {
    return [...this.#conflicts.values()];
  }

  get(id: string): Feature | undefined {
    return this.#current.get(id);
  }

  features(): Feature[] {
    return [...this.#current.values()];
  }

  /** Puts each feature in place of the one with its id, as one undo step. Answers the ids that changed. */
  put(features: readonly Feature[], key?: string): string[] {
    return this.change({ put: features, remove: [] }, key);
  }

  /** Takes features out, as one undo step. Answers the ids that were there. */
  remove(ids: readonly string[]): string[] {
    return this.change({ put: [], remove: ids });
  }

  /** Both as one undo step. */
  change({ put, remove }: Edit, key?: string): string[] {
    const changes = [
      ...remove.map((id) => ({ id, before: this.#current.get(id) ?? null, after: null })),
      ...put.map((after) => ({ id: idOf(after), before: this.#current.get(idOf(after)) ?? null, after })),
    ];
    return this.#commit(changes, key);
  }

  /** Makes features that came by the server an undo step, as though they had been drawn here. */
  noteAdded(ids: readonly string[], key?: string): void {
    const changes = ids.flatMap((id) => {
      const after = this.#current.get(id);
      return after === undefined ? [] : [{ id, before: null, after }];
    });
    if (changes.length > 0) this.#note(changes, key);
  }

  /** Ids of the shapes that the next undo takes off the map. */
  removedByUndo(): string[] {
    return goneOf(this.#undo.at(-1), 'before');
  }

  /** The same of redo. */
  removedByRedo(): string[] {
    return goneOf(this.#redo.at(-1), 'after');
  }

  /**
   * Takes the last step back. A shape that was deleted comes back as it was but for its place in the order: it stands
   * last, as on the server, where it is added anew.
   */
  undo(): string[] {
    const step = this.#undo.pop();
    if (step === undefined) return [];
    this.#redo.push(step);
    for (const change of step.changes.toReversed()) this.#set(change.id, change.before);
    return this.#settled(step);
  }

  redo(): string[] {
    const step = this.#redo.pop();
    if (step === undefined) return [];
    this.#undo.push(step);
    for (const change of step.changes) this.#set(change.id, change.after);
    return this.#settled(step);
  }

  /** The difference from the server, without conflicts; null when there is none. */
  pending(): Delta | null {
    const delta: Delta = { added: [], modified: [], deleted: [], revision: this.#revision };
    for (const [id, base] of this.#base) {
      const now = this.#current.get(id);
      if (this.#conflicts.has(id)) continue;
      if (isSameFeature(base, now)) this.#base.delete(id);
      else if (now === undefined) delta.deleted.push(id);
      else if (base === undefined) delta.added.push(now);
      else delta.modified.push(now);
    }
    return delta.added.length + delta.modified.length + delta.deleted.length === 0 ? null : delta;
  }

  /** Records that the server has the delta. Edits made meanwhile stay pending. */
  saved(delta: Delta, revision: number): void {
    for (const feature of [...delta.added, ...delta.modified]) this.#setBase(idOf(feature), feature);
    for (const id of delta.deleted) this.#setBase(id, undefined);
    this.#revision = revision;
  }

  /**
   * Takes over the server's present state, at once after it has compared all with rests: here may be edited meanwhile.
   * Features not changed here follow it; those changed on both sides become conflicts and keep the local state until
   * resolved. Returns the ids whose features changed on screen; null where it may not be taken over by then.
   */
  *rebase(
    theirs: Iterable<Feature>,
    revision: number,
    mayTake: () => boolean = () => true,
  ): Generator<void, string[] | null> {
    const ids = new Set(this.#base.keys());
    this.#comparisons.add(ids);
    const theirsById = new Map<string, Feature>();
    for (const feature of theirs) {
      const id = idOf(feature);
      theirsById.set(id, feature);
      if (!isSameFeature(this.#current.get(id), feature)) ids.add(id);
      yield;
    }
    for (const id of this.#current.keys()) {
      if (!theirsById.has(id)) ids.add(id);
      yield;
    }
    this.#comparisons.delete(ids);
    return mayTake() ? this.#rebase(ids, (id) => theirsById.get(id), revision) : null;
  }

  /** The same by what changed on the server since `revision`; all else is there as it was. */
  rebaseChanges({ features, deleted, revision }: ServerChanges): string[] {
    const theirs = new Map<string, Feature | undefined>(deleted.map((id) => [id, undefined]));
    for (const feature of features) theirs.set(idOf(feature), feature);
    const ids = new Set([...this.#base.keys(), ...theirs.keys()]);
    return this.#rebase(ids, (id) => (theirs.has(id) ? theirs.get(id) : this.#baseOf(id)), revision);
  }

  /**
   * Resolves conflicts. Taking theirs is one undo step, so that mine can be restored; with both, mine is added beside
   * theirs under a new id.
   */
  resolve(ids: readonly string[], side: ConflictSide, newId: () => string): string[] {
    const resolved = ids.flatMap((id) => this.#conflicts.get(id) ?? []);
    for (const { id } of resolved) this.#conflicts.delete(id);
    if (side === 'mine') return [];
    const changes = resolved.flatMap(({ id, mine, theirs }): Change[] => {
      const taken = { id, before: mine, after: theirs };
      if (side === 'theirs' || mine === null) return [taken];
      const copyId = newId();
      const copy = { ...mine, properties: { ...mine.properties, unique_id: copyId } };
      return [taken, { id: copyId, before: null, after: copy }];
    });
    return this.#commit(changes);
  }

  /** All that is not on the server, conflicts included. */
  unsaved(): Change[] {
    const changes = [...this.#base].map(([id, base]) => ({
      id,
      before: this.#conflicts.get(id)?.base ?? base ?? null,
      after: this.#current.get(id) ?? null,
    }));
    return changes.filter(({ before, after }) => !isSameFeature(before, after));
  }

  /** The earlier changes that are missing here, without those that were saved after all. */
  missing(changes: readonly Change[]): Change[] {
    return changes.filter(({ id, after }) => !isSameFeature(this.#current.get(id), after));
  }

  /** Redoes earlier changes as one undo step. What another user has changed since becomes a conflict. */
  restore(changes: readonly Change[]): string[] {
    const missing = this.missing(changes);
    const theirs = new Map(missing.map(({ id }) => [id, this.#baseOf(id)]));
    const ids = this.#commit(missing.map(({ id, after }) => ({ id, before: this.#current.get(id) ?? null, after })));
    for (const { id, before, after } of missing) {
      const base = theirs.get(id);
      if (!isSameFeature(base, before))
        this.#conflicts.set(id, { id, base: before, mine: after, theirs: base ?? null });
    }
    return ids;
  }

  #commit(changes: Change[], key?: string): string[] {
    const real = changes.filter((change) => !isSameFeature(change.before, change.after));
    if (real.length === 0) return [];
    for (const change of real) this.#set(change.id, change.after);
    this.#note(real, key);
    return real.map((change) => change.id);
  }

  /** An undo step, or the rest of the last one where that has the key. */
  #note(changes: Change[], key: string | undefined): void {
    const last = this.#undo.at(-1);
    if (key === undefined || last?.key !== key || this.#redo.length > 0)
      this.#undo = [...this.#undo, { key, changes }].slice(-mostSteps);
    else if (join(last, changes).length === 0) this.#undo.pop();
    this.#redo = [];
  }

  #baseOf(id: string): Feature | undefined {
    return this.#base.has(id) ? this.#base.get(id) : this.#current.get(id);
  }

  #setBase(id: string, feature: Feature | undefined): void {
    this.#base.set(id, feature);
    this.#compareAgain(id);
  }

  #compareAgain(id: string): void {
    for (const ids of this.#comparisons) ids.add(id);
  }

  #set(id: string, feature: Feature | null): void {
    this.#setBase(id, this.#baseOf(id));
    if (feature === null) this.#current.delete(id);
    else this.#current.set(id, feature);
    const conflict = this.#conflicts.get(id);
    if (conflict !== undefined) this.#conflicts.set(id, { ...conflict, mine: feature });
  }

  /** After undo or redo: ends the conflicts of which nothing of mine is left, or mine is theirs. Returns the ids. */
  #settled({ changes }: Step): string[] {
    const ids = changes.map(({ id }) => id);
    const followed = ids.filter((id) => {
      const conflict = this.#conflicts.get(id);
      return conflict !== undefined && this.#rebaseOne(id, conflict.theirs ?? undefined);
    });
    this.#forget(new Set(followed));
    return ids;
  }

  #rebase(ids: Iterable<string>, theirs: (id: string) => Feature | undefined, revision: number): string[] {
    const changed: string[] = [];
    for (const id of ids) {
      if (this.#rebaseOne(id, theirs(id))) changed.push(id);
    }
    this.#revision = revision;
    this.#forget(new Set(changed));
    return changed;
  }

  #rebaseOne(id: string, theirs: Feature | undefined): boolean {
    const base = this.#conflicts.has(id) ? this.#conflicts.get(id)?.base : this.#baseOf(id);
    const mine = this.#current.get(id);
    this.#conflicts.delete(id);
    this.#compareAgain(id);
    if (isSameFeature(mine, theirs)) {
      this.#base.delete(id);
      return false;
    }
    if (isSameFeature(mine, base)) {
      this.#base.delete(id);
      if (theirs === undefined) this.#current.delete(id);
      else this.#current.set(id, theirs);
      return true;
    }
    this.#base.set(id, theirs);
    if (!isSameFeature(base, theirs)) {
      this.#conflicts.set(id, { id, base: base ?? null, mine: mine ?? null, theirs: theirs ?? null });
    }
    return false;
  }

  /** Undo must not bring back what was here before someone else's change. */
  #forget(ids: ReadonlySet<string>): void {
    const before = this.#undo;
    this.#undo = without(before, ids);
    this.#redo = without(this.#redo, ids);
    this.#forgotten += before.filter((step) => !this.#undo.includes(step)).length;
  }
}

export function idOf(feature: Feature): string {
  return feature.properties.unique_id;
}

/**
 * Without the steps of these shapes, and without those that could be taken only after one of them. Such a step goes
 * whole, for half of it may be a shape beneath another; of one that only adds, as an import does, the others stay.
 */
function without(steps: readonly Step[], ids: ReadonlySet<string>): Step[] {
  const gone = new Set(ids);
  return steps
    .toReversed() // the last is the next to be taken
    .flatMap((step) => {
      const { changes } = step;
      const kept = changes.filter(({ id }) => !gone.has(id));
      if (kept.length === changes.length) return [step];
      if (kept.length > 0 && changes.every(({ before }) => before === null)) return [{ ...step, changes: kept }];
      for (const { id } of changes) gone.add(id);
      return [];
    })
    .toReversed();
}

function goneOf(step: Step | undefined, side: 'before' | 'after'): string[] {
  return (step?.changes ?? []).filter((change) => change[side] === null).map(({ id }) => id);
}

/** Returns the changes of the joined step, without what it adds and takes away again. */
function join(step: Step, changes: readonly Change[]): readonly Change[] {
  const known = new Map(step.changes.map((one) => [one.id, one]));
  for (const change of changes) {
    const earlier = known.get(change.id);
    if (earlier === undefined) step.changes.push(change);
    else earlier.after = change.after;
  }
  return (step.changes = step.changes.filter(({ before, after }) => before !== null || after !== null));
}

/** Null and undefined: it is not there. */
export function isSameFeature(a: Feature | null | undefined, b: Feature | null | undefined): boolean {
  return isSame(a ?? undefined, b ?? undefined);
}
