import { isoOf } from '../../contract/time.ts';
import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import type { Dashboard, DashboardCreate, DashboardPatch, Widget } from '../../contract/dashboard.ts';
import { Refusal, refuseChanged } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { DashboardRepository } from '../../db/repositories/dashboard.ts';
import type { Transact } from '../../db/transaction.ts';
import { checkReferred, type Reference, type ReferenceExists } from '../setting/references.ts';

interface DashboardOptions {
  rows: DashboardRepository;
  referenceExists: ReferenceExists;
  transact: Transact;
  audit: AuditSink;
  clock: Now;
}

/** Maximum dashboards of one user. */
const most = 50;
const readOnly = ['unique_id', 'created_at', 'updated_at'] as const;

/** The dashboards of each user, invisible to others. Ids from paths arrive in lower case. */
export class DashboardService {
  readonly #options: DashboardOptions;

  constructor(options: DashboardOptions) {
    this.#options = options;
  }

  list(actor: Actor): Dashboard[] {
    return this.#options.rows.list(ownerOf(actor));
  }

  /** Throws `not_found`. */
  get(actor: Actor, id: string): Dashboard {
    const dashboard = this.#options.rows.get(ownerOf(actor), id);
    if (dashboard === undefined) throw new Refusal('not_found', 'you have no such dashboard');
    return dashboard;
  }

  /** Throws `unknown_reference`, `conflict` at the maximum. */
  create(actor: Actor, { name, widgets = [] }: DashboardCreate): Dashboard {
    const { rows, transact, audit, clock } = this.#options;
    const owner = ownerOf(actor);
    const now = isoOf(clock());
    const made = { unique_id: randomUUID(), name, widgets, created_at: now, updated_at: now };
    return transact(() => {
      if (rows.list(owner).length >= most) throw new Refusal('conflict', why('too_many_dashboards', { most }));
      checkReferred(referencesOf(made.widgets), this.#options.referenceExists);
      rows.insert(owner, made);
      audit.record({ kind: 'dashboard.create', actor, target: made.unique_id, after: made });
      return made;
    });
  }

  /** Changes what the patch names. Throws `not_found`, `unknown_reference`, `read_only_field`. */
  change(actor: Actor, id: string, patch: DashboardPatch): Dashboard {
    const { rows, transact, audit, clock } = this.#options;
    return transact(() => {
      const before = this.get(actor, id);
      refuseChanged(patch, before, readOnly);
      const after: Dashboard = {
        ...before,
        ...(patch.name !== undefined && { name: patch.name }),
        ...(patch.widgets !== undefined && { widgets: patch.widgets }),
        updated_at: isoOf(clock()),
      };
      this.#checkAdded(before, after);
      rows.update(after);
      audit.record({ kind: 'dashboard.change', actor, target: id, before, after });
      return after;
    });
  }

  /** Throws `not_found`. */
  remove(actor: Actor, id: string): void {
    const { rows, transact, audit } = this.#options;
    transact(() => {
      const before = this.get(actor, id);
      rows.remove(id);
      audit.record({ kind: 'dashboard.delete', actor, target: id, before });
    });
  }

  /** A widget may show that its device is gone: only new references must exist. */
  #checkAdded(before: Dashboard, after: Dashboard): void {
    const known = new Set(referencesOf(before.widgets).map(({ kind, id }) => `${kind} ${id}`));
    const added = referencesOf(after.widgets).filter(({ kind, id }) => !known.has(`${kind} ${id}`));
    checkReferred(added, this.#options.referenceExists);
  }
}

function ownerOf({ user_id }: Actor): string {
  if (user_id === null) throw new Refusal('not_found', 'only users have dashboards');
  return user_id;
}

function referencesOf(widgets: readonly Widget[]): Reference[] {
  return widgets.flatMap((widget, index): Reference[] => {
    const path = `widgets[${index}]`;
    switch (widget.kind) {
      case 'value':
        return [{ kind: 'device', id: widget.source.device_id, path: `${path}.source.device_id` }];
      case 'trend':
        return widget.sources.map(({ device_id: id }, at) => {
          return { kind: 'device', id, path: `${path}.sources[${at}].device_id` };
        });
      case 'output':
        return [{ kind: 'device', id: widget.device_id, path: `${path}.device_id` }];
      case 'facility':
        return [{ kind: 'facility', id: widget.facility_uuid, path: `${path}.facility_uuid` }];
      case 'map':
        return [{ kind: 'map', id: widget.map_uuid, path: `${path}.map_uuid` }];
      case 'alarms':
      case 'notes':
      case 'text':
        return [];
    }
  });
}
