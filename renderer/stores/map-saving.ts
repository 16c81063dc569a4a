import { overlayEndpoints } from '../../server/contract/overlay.ts';
import type { Call } from '../client/client.ts';
import { Autosave, type AutosavePort } from '../map/autosave.ts';
import type { EditBuffer } from '../map/edit-buffer.ts';
import { later } from '../map/patience.ts';

/** Saves the edits of a buffer to its map. */
export function savingOf(
  buffer: EditBuffer,
  mapUuid: string,
  { call, ...port }: { call: Call } & Pick<AutosavePort, 'show' | 'replaced' | 'read'>,
): Autosave {
  return new Autosave(buffer, {
    ...port,
    send: ({ added, modified, deleted, revision }, save_id, signal) =>
      call(overlayEndpoints.delta, { body: { geo_id: mapUuid, added, modified, deleted, revision, save_id }, signal }),
    newId: () => crypto.randomUUID(),
    later,
  });
}
