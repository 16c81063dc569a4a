import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import type { AnswerOf, QueryOf } from '../../contract/endpoint.ts';
import { Refusal, refuseChanged, refusePlainly } from '../../contract/errors.ts';
import type { Note, NoteCreate, noteEndpoints, NotePatch } from '../../contract/note.ts';
import { isoOf } from '../../contract/time.ts';
import type { NoteFilter, NoteRepository, NoteRow } from '../../db/repositories/note.ts';
import type { Transact } from '../../db/transaction.ts';
import { checkReferred, type Reference, type ReferenceExists } from '../setting/references.ts';

interface NoteOptions {
  rows: NoteRepository;
  referenceExists: ReferenceExists;
  transact: Transact;
  audit: AuditSink;
  clock: Now;
}

type List = typeof noteEndpoints.list;

const defaultLimit = 100; // notes
const links = { device_id: 'device', facility_uuid: 'facility', map_uuid: 'map' } as const;
const readOnly = ['unique_id', 'author', 'created_at', 'updated_at'] as const;

/** Notes that people write about the site. Ids from paths arrive in lower case. */
export class NoteService {
  readonly #options: NoteOptions;

  constructor(options: NoteOptions) {
    this.#options = options;
  }

  /** Latest first. Throws `invalid_field` for a foreign cursor. */
  list(query: QueryOf<List>): AnswerOf<List> {
    const limit = query.limit ?? defaultLimit;
    const found = this.#options.rows.list({ ...filterOf(query), limit: limit + 1 });
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    return {
      notes: page.map(({ ordinal: _, ...note }) => note),
      next_cursor: last === undefined ? null : `${Date.parse(last.time)}.${last.ordinal}`,
    };
  }

  /** Throws `not_found`. */
  get(id: string): Note {
    const note = this.#options.rows.get(id);
    if (note === undefined) throw new Refusal('not_found', 'there is no such note');
    return note;
  }

  /** Throws `unknown_reference`. */
  create(actor: Actor, sent: NoteCreate): Note {
    const { rows, transact, audit, clock } = this.#options;
    const now = isoOf(clock());
    const note: Note = {
      unique_id: randomUUID(),
      text: sent.text,
      category: sent.category ?? null,
      time: sent.time === undefined ? now : isoOf(sent.time),
      device_id: sent.device_id ?? null,
      facility_uuid: sent.facility_uuid ?? null,
      map_uuid: sent.map_uuid ?? null,
      author: actor.username,
      created_at: now,
      updated_at: now,
    };
    return transact(() => {
      this.#checkLinks(note);
      rows.insert(note);
      audit.record({ kind: 'note.create', actor, target: note.unique_id, after: note });
      return note;
    });
  }

  /** Changes what the patch names. Throws `not_found`, `unknown_reference`, `read_only_field`. */
  change(actor: Actor, id: string, patch: NotePatch): Note {
    const { rows, transact, audit, clock } = this.#options;
    return transact(() => {
      const before = this.get(id);
      refuseChanged(patch, before, readOnly);
      const note: Note = { ...before, ...changedFields(patch), updated_at: isoOf(clock()) };
      this.#checkLinks(note, before);
      rows.update(note);
      audit.record({ kind: 'note.change', actor, target: id, before, after: note });
      return note;
    });
  }

  /** Throws `not_found`. */
  remove(actor: Actor, id: string): void {
    const { rows, transact, audit } = this.#options;
    transact(() => {
      const before = this.get(id);
      rows.remove(id);
      audit.record({ kind: 'note.delete', actor, target: id, before });
    });
  }

  /** What a note was about may be gone by now: only new links must exist. */
  #checkLinks(note: Note, before?: Note): void {
    const added = Object.entries(links).flatMap(([path, kind]): Reference[] => {
      const field = path as keyof typeof links; // its own keys
      const id = note[field];
      return id === null || id === before?.[field] ? [] : [{ kind, id, path }];
    });
    checkReferred(added, this.#options.referenceExists);
  }
}

function changedFields({ text, category, time, device_id, facility_uuid, map_uuid }: NotePatch): Partial<Note> {
  return {
    ...(text !== undefined && { text }),
    ...(category !== undefined && { category }),
    ...(time !== undefined && { time: isoOf(time) }),
    ...(device_id !== undefined && { device_id }),
    ...(facility_uuid !== undefined && { facility_uuid }),
    ...(map_uuid !== undefined && { map_uuid }),
  };
}

function filterOf(query: QueryOf<List>): Omit<NoteFilter, 'limit'> {
  return {
    from: query.from === undefined ? null : isoOf(query.from),
    to: query.to === undefined ? null : isoOf(query.to),
    category: query.category ?? null,
    device_id: query.device_id ?? null,
    facility_uuid: query.facility_uuid ?? null,
    map_uuid: query.map_uuid ?? null,
    before: placeOf(query.cursor),
  };
}

function placeOf(cursor: string | undefined): Pick<NoteRow, 'time' | 'ordinal'> | null {
  if (cursor === undefined) return null;
  const [, time_ms, ordinal] = /^(-?\d{1,15})\.(\d{1,15})$/.exec(cursor) ?? [];
  const time = new Date(Number(time_ms));
  if (Number.isNaN(time.getTime())) throw refusePlainly('invalid_field', 'cursor', 'is not a next_cursor of this list');
  return { time: time.toISOString(), ordinal: Number(ordinal) };
}
