import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { moment, timestamp } from './time.ts';

const text = z.string().trim().min(1).max(10_000);
const category = z.string().trim().min(1).max(64).nullable().describe('Any word, e.g. harvest');
const happened = 'What the note is about happened then';
const links = {
  device_id: uuid.nullable().describe('Device that it is about'),
  facility_uuid: uuid.nullable().describe('Facility that it is about'),
  map_uuid: uuid.nullable().describe('Map that it is about'),
};

/** A note that a user wrote. It outlives its subject. */
export const note = z.strictObject({
  unique_id: uuid,
  text,
  category,
  time: timestamp.describe(happened),
  ...links,
  author: z.string().nullable().describe('Username; null for the service itself'),
  created_at: timestamp,
  updated_at: timestamp,
});
export type Note = z.infer<typeof note>;

const readOnly = {
  unique_id: uuid.optional().describe('Read only, accepted unchanged'),
  author: note.shape.author.optional().describe('Read only, accepted unchanged'),
  created_at: timestamp.optional().describe('Read only, accepted unchanged'),
  updated_at: timestamp.optional().describe('Read only, accepted unchanged'),
};

export const noteCreate = z.strictObject({
  text,
  category: category.optional(),
  time: moment.optional().describe(`${happened}; now when absent`),
  ...z.strictObject(links).partial().shape,
});
export type NoteCreate = z.infer<typeof noteCreate>;

export const notePatch = noteCreate.partial().extend(readOnly);
export type NotePatch = z.infer<typeof notePatch>;

const params = z.strictObject({ note_id: uuid });

export const noteEndpoints = {
  list: endpoint({
    method: 'GET',
    path: '/api/notes',
    tag: 'notes',
    summary: 'List notes, the latest first',
    access: 'view_stats',
    query: z.strictObject({
      from: moment.optional().describe('Of that time or later'),
      to: moment.optional().describe('Before that time'),
      category: z.string().max(64).optional(),
      device_id: uuid.optional(),
      facility_uuid: uuid.optional(),
      map_uuid: uuid.optional(),
      limit: z.int().min(1).max(1000).optional().describe('Default 100'),
      cursor: z.string().max(100).optional().describe('next_cursor of the page before'),
    }),
    answer: z.strictObject({ notes: z.array(note), next_cursor: z.string().nullable() }),
    statuses: [200],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/notes',
    tag: 'notes',
    summary: 'Write a note',
    access: 'edit_controllers',
    body: noteCreate,
    answer: note,
    statuses: [201],
    errors: ['unknown_reference'],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/notes/:note_id',
    tag: 'notes',
    summary: 'Read a note',
    access: 'view_stats',
    params,
    answer: note,
    statuses: [200],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/notes/:note_id',
    tag: 'notes',
    summary: 'Change a note',
    access: 'edit_controllers',
    params,
    body: notePatch,
    answer: note,
    statuses: [200],
    errors: ['unknown_reference', 'read_only_field'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/notes/:note_id',
    tag: 'notes',
    summary: 'Delete a note',
    access: 'edit_controllers',
    params,
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
  }),
};
