import { noteEndpoints } from '../../contract/note.ts';
import type { NoteService } from '../../services/record/note.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export function noteRoutes(notes: NoteService): Route[] {
  return [
    defineRoute(noteEndpoints.list, ({ query }) => notes.list(query)),
    defineRoute(noteEndpoints.create, ({ body, actor }) => {
      const note = notes.create(actor, body);
      return new Reply(201, note, { Location: `/api/notes/${note.unique_id}` });
    }),
    defineRoute(noteEndpoints.get, ({ params }) => notes.get(params.note_id)),
    defineRoute(noteEndpoints.change, ({ params, body, actor }) => notes.change(actor, params.note_id, body)),
    defineRoute(noteEndpoints.remove, ({ params, actor }) => {
      notes.remove(actor, params.note_id);
      return { unique_id: params.note_id, deleted: true as const };
    }),
  ];
}
