import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { Refusal, refuseChanged } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { isoOf } from '../../contract/time.ts';
import type { TrendShown, TrendView, TrendViewCreate, TrendViewPatch } from '../../contract/trend-view.ts';
import type { StoredTrendView, TrendViewRepository } from '../../db/repositories/trend-view.ts';
import type { Transact } from '../../db/transaction.ts';
import { checkReferred, type Reference, type ReferenceExists } from '../setting/references.ts';

interface TrendViewOptions {
  rows: TrendViewRepository;
  referenceExists: ReferenceExists;
  transact: Transact;
  audit: AuditSink;
  clock: Now;
}

/** Maximum views of one user. */
const most = 50;
const readOnly = ['unique_id', 'author', 'is_own', 'created_at', 'updated_at'] as const;

/** The views of trends of each user, and those that others share. Ids from paths arrive in lower case. */
export class TrendViewService {
  readonly #options: TrendViewOptions;

  constructor(options: TrendViewOptions) {
    this.#options = options;
  }

  list(actor: Actor): TrendView[] {
    const userId = userOf(actor);
    return this.#options.rows.visible(userId).map((view) => seenBy(userId, view));
  }

  /** Throws `not_found`. */
  get(actor: Actor, id: string): TrendView {
    const userId = userOf(actor);
    return seenBy(userId, this.#visible(userId, id));
  }

  /** Throws `unknown_reference`, `conflict` at the maximum. */
  create(actor: Actor, { name, is_shared = false, shown: sent }: TrendViewCreate): TrendView {
    const { rows, transact, audit, clock } = this.#options;
    const shown = storedOf(sent);
    const user_id = userOf(actor);
    const now = isoOf(clock());
    const made = { unique_id: randomUUID(), user_id, name, is_shared, shown, created_at: now, updated_at: now };
    return transact(() => {
      if (rows.countOf(user_id) >= most) throw new Refusal('conflict', why('too_many_views', { most }));
      checkReferred(referencesOf(shown), this.#options.referenceExists);
      rows.insert(made);
      const after = this.get(actor, made.unique_id);
      audit.record({ kind: 'trend_view.create', actor, target: made.unique_id, after });
      return after;
    });
  }

  /** Changes what the patch names. Throws `not_found`, `forbidden`, `unknown_reference`, `read_only_field`. */
  change(actor: Actor, id: string, patch: TrendViewPatch): TrendView {
    const { rows, transact, audit, clock } = this.#options;
    const userId = userOf(actor);
    return transact(() => {
      const stored = this.#own(userId, id);
      const before = seenBy(userId, stored);
      refuseChanged(patch, before, readOnly);
      const { name = stored.name, is_shared = stored.is_shared } = patch;
      const shown = patch.shown === undefined ? stored.shown : storedOf(patch.shown);
      this.#checkAdded(stored.shown, shown);
      rows.update({ ...stored, name, is_shared, shown, updated_at: isoOf(clock()) });
      const after = this.get(actor, id);
      audit.record({ kind: 'trend_view.change', actor, target: id, before, after });
      return after;
    });
  }

  /** Throws `not_found`, `forbidden`. */
  remove(actor: Actor, id: string): void {
    const { rows, transact, audit } = this.#options;
    const userId = userOf(actor);
    transact(() => {
      const before = seenBy(userId, this.#own(userId, id));
      rows.remove(id);
      audit.record({ kind: 'trend_view.delete', actor, target: id, before });
    });
  }

  #visible(userId: string, id: string): StoredTrendView {
    const view = this.#options.rows.get(id);
    if (view === undefined || (view.user_id !== userId && !view.is_shared)) {
      throw new Refusal('not_found', 'you see no such view of trends');
    }
    return view;
  }

  #own(userId: string, id: string): StoredTrendView {
    const view = this.#visible(userId, id);
    if (view.user_id !== userId) throw new Refusal('forbidden', 'only who made a view of trends may change it');
    return view;
  }

  /** A view may name a device that is gone: only new references must exist. */
  #checkAdded(before: TrendShown, after: TrendShown): void {
    const known = new Set(referencesOf(before).map(({ kind, id }) => `${kind} ${id}`));
    const added = referencesOf(after).filter(({ kind, id }) => !known.has(`${kind} ${id}`));
    checkReferred(added, this.#options.referenceExists);
  }
}

function userOf({ user_id }: Actor): string {
  if (user_id === null) throw new Refusal('not_found', 'only users have views of trends');
  return user_id;
}

function storedOf({ ends_at, ...shown }: TrendViewCreate['shown']): TrendShown {
  return { ...shown, ends_at: ends_at === null ? null : isoOf(ends_at) };
}

function seenBy(userId: string, { user_id, ...view }: StoredTrendView): TrendView {
  return { ...view, is_own: user_id === userId };
}

function referencesOf({ series, outputs, compare }: TrendShown): Reference[] {
  const devices = Object.entries({ series, outputs }).flatMap(([field, list]) =>
    list.map(({ device_id: id }, at): Reference => ({ kind: 'device', id, path: `shown.${field}[${at}].device_id` })),
  );
  if (compare?.with !== 'house') return devices;
  return [...devices, { kind: 'facility', id: compare.facility_uuid, path: 'shown.compare.facility_uuid' }];
}
