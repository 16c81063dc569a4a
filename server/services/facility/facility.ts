import { isoOf } from '../../contract/time.ts';
import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { systemActor } from '../../auth/system-actor.ts';
import { Refusal, refuseChanged } from '../../contract/errors.ts';
import { trashDays } from '../../contract/identifier.ts';
import { facility, type Facility, type FacilitySave } from '../../contract/facility.ts';
import type { FacilityRepository, StoredFacility } from '../../db/repositories/facility.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { PlacementRepository } from '../../db/repositories/placement.ts';
import type { Transact } from '../../db/transaction.ts';
import { checkReferences, findShape, refuseTaken } from './check.ts';
import { applySave, readOnlyFields } from './merge.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';
import { why } from '../../contract/refusal-reason.ts';

export interface FacilityServiceOptions {
  facilities: FacilityRepository;
  measured: Pick<MeasuredDevices, 'get'>;
  outputs: OutputRepository;
  placements: PlacementRepository;
  transact: Transact;
  audit: AuditSink;
  clock: Now;
  /** The clock for emptying the trash. */
  trusted: Now;
}

const trashMs = trashDays * 24 * 3_600_000;

/** Defaults of a new facility. */
const defaults = {
  preset: 'greenhouse',
  bay_count: 1,
  sensors: [],
  actuators: [],
  openings: [],
  curtains: [],
  fans: [],
  view_3d: { spacing_m: 2, render_mode: 'solid', category_visibility: {} },
  notes: '',
} as const satisfies Partial<Facility>;

/** Facilities: a house on a shape of a map, its envelope and its bound devices. Identifiers arrive in lower case. */
export class FacilityService {
  readonly #options: FacilityServiceOptions;

  constructor(options: FacilityServiceOptions) {
    this.#options = options;
  }

  /** Throws `not_found` when there is no such map; facilities in the trash may belong to a map in the trash. */
  list(filter: { geo_id?: string | undefined; trash?: boolean | undefined }): Facility[] {
    const standing = filter.geo_id === undefined ? 'living' : this.#options.placements.mapStanding(filter.geo_id);
    if (standing !== 'living' && !(standing === 'in_trash' && filter.trash === true)) {
      throw new Refusal('not_found', `there is no map ${filter.geo_id}`);
    }
    return this.#options.facilities.list(filter);
  }

  /** Throws `not_found`, also when it is in the trash. */
  get(id: string): Facility {
    const stored = this.#options.facilities.get(id);
    if (stored === undefined || stored.deleted_at !== null) throw new Refusal('not_found', 'no such facility');
    return stored.facility;
  }

  /**
   * Creates a facility, or changes the named fields of an existing one. Throws `invalid_field`, `unknown_reference`,
   * `invalid_shape`, `unknown_material`, `read_only_field`, `shape_has_facility`, `in_trash`, `revision_conflict`.
   */
  save(actor: Actor, sent: FacilitySave): { facility: Facility; created: boolean } {
    return this.#options.transact(() => {
      const id = sent.unique_id;
      const stored = id === undefined ? undefined : this.#options.facilities.get(id);
      if (stored === undefined) return { facility: this.#create(actor, sent), created: true };
      return { facility: this.#update(actor, stored, sent), created: false };
    });
  }

  /** Moves it to the trash, and purges what has been there too long. Throws `not_found`. */
  remove(actor: Actor, id: string): void {
    const { facilities, transact, audit, clock } = this.#options;
    transact(() => {
      this.purgeTrash();
      const before = this.get(id);
      facilities.setDeletedAt(id, isoOf(clock()));
      audit.record({ kind: 'facility.delete', actor, target: id, before });
    });
  }

  /**
   * Restores it from the trash. Throws `not_found`, `conflict` when it is not there or its shape is gone,
   * `shape_has_facility`.
   */
  restore(actor: Actor, id: string): Facility {
    const { facilities, placements, transact, audit } = this.#options;
    return transact(() => {
      const stored = facilities.get(id);
      if (stored === undefined) throw new Refusal('not_found', 'no such facility');
      if (stored.deleted_at === null) throw new Refusal('conflict', why('house_not_in_trash'));
      if (placements.shape(stored.facility.shape_uuid) === undefined) {
        throw new Refusal('conflict', why('shape_gone'), { members: { fault: 'shape_gone' } });
      }
      findShape(stored.facility.shape_uuid, placements);
      refuseTaken(stored.facility.shape_uuid, id, facilities);
      facilities.setDeletedAt(id, null);
      audit.record({ kind: 'facility.restore', actor, target: id, after: stored.facility });
      return stored.facility;
    });
  }

  /** Permanently removes what has been in the trash for `trashDays`; returns how many. */
  purgeTrash(): number {
    const { facilities, transact, audit, trusted } = this.#options;
    return transact(() => {
      const count = facilities.purge(isoOf(trusted() - trashMs));
      if (count > 0) audit.record({ kind: 'facility.purge', actor: systemActor, after: { count } });
      return count;
    });
  }

  #create(actor: Actor, sent: FacilitySave): Facility {
    refuseChanged(sent, {}, [...readOnlyFields, 'revision']);
    const now = isoOf(this.#options.clock());
    const bays = sent.bay_count ?? defaults.bay_count;
    const merged = applySave({ ...defaults, structure: bays > 1 ? 'connected' : 'single' }, sent);
    const whole = { unique_id: randomUUID(), ...merged, revision: 1, created_at: now, updated_at: now };
    const made = this.#checked(whole, sent);
    refuseTaken(made.shape_uuid, made.unique_id, this.#options.facilities);
    this.#options.facilities.insert(made);
    this.#options.audit.record({ kind: 'facility.create', actor, target: made.unique_id, after: made });
    return made;
  }

  /** A save without a change creates no revision. */
  #update(actor: Actor, { facility: before, deleted_at }: StoredFacility, sent: FacilitySave): Facility {
    if (deleted_at !== null) {
      this.#judged(applySave(before, sent), sent);
      throw new Refusal('in_trash', 'the facility is in the trash: restore it first');
    }
    const merged = this.#checked(applySave(before, sent), sent);
    refuseReadOnly(before, sent);
    refuseTaken(merged.shape_uuid, merged.unique_id, this.#options.facilities);
    if (JSON.stringify(merged) === JSON.stringify(facility.parse(before))) return before;
    const after = { ...merged, revision: before.revision + 1, updated_at: isoOf(this.#options.clock()) };
    this.#options.facilities.update(after);
    this.#options.audit.record({ kind: 'facility.save', actor, target: after.unique_id, before, after });
    return after;
  }

  /**
   * The merged facility, complete and on a suitable, free shape: faults of the request are reported before conflicts
   * with what exists.
   */
  #checked(merged: Record<string, unknown>, sent: FacilitySave): Facility {
    const whole = this.#judged(merged, sent);
    const shape = findShape(whole.shape_uuid, this.#options.placements);
    return facility.parse({ ...whole, geo_id: shape.map_uuid });
  }

  #judged(merged: Record<string, unknown>, sent: FacilitySave): Omit<Facility, 'geo_id'> {
    const whole = parseOrRefuse(facility.omit({ geo_id: true }), omit(merged, 'geo_id'), []);
    checkReferences(whole, sent, this.#options);
    return whole;
  }
}

function refuseReadOnly(before: Facility, sent: FacilitySave): void {
  if (sent.revision !== undefined && sent.revision !== before.revision) {
    throw new Refusal('revision_conflict', `the facility was changed since: it has revision ${before.revision}`, {
      members: { revision: before.revision, updated_at: before.updated_at },
    });
  }
  refuseChanged(sent, before, readOnlyFields);
}

function omit(fields: Record<string, unknown>, name: string): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
}
