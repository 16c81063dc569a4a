import { onScopeDispose, shallowRef } from 'vue';
import { baseMapEndpoints, mostPartBytes, type BaseMap } from '../../../server/contract/base-map.ts';
import { isAborted, isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';

interface Upload {
  file: File;
  /** By which the server keeps it. */
  name: string;
  sent_bytes: number;
}

/** A map file sent by parts: how far it is, paused and gone on with where it stopped. Leaving the page ends it. */
export function useMapUpload(uploaded: (made: BaseMap) => void) {
  const call = useCall();
  const upload = shallowRef<Upload | null>(null);
  const isRunning = shallowRef(false);
  const error = shallowRef<unknown>(null);
  let sending = new AbortController();

  async function begin(file: File): Promise<void> {
    upload.value = { file, name: nameOf(file.name), sent_bytes: 0 };
    await resume();
  }

  async function resume(): Promise<void> {
    sending.abort();
    sending = new AbortController();
    const { signal } = sending;
    isRunning.value = true;
    error.value = null;
    try {
      while (upload.value !== null && !signal.aborted) await sendPart(upload.value, signal);
    } catch (thrown) {
      if (!isAborted(thrown)) fail(thrown);
    } finally {
      if (sending.signal === signal) isRunning.value = false;
    }
  }

  async function sendPart({ file, name, sent_bytes }: Upload, signal: AbortSignal): Promise<void> {
    const form = new FormData();
    form.append('file', file.slice(sent_bytes, sent_bytes + mostPartBytes), name);
    const query = { name, offset: sent_bytes, total_bytes: file.size };
    const told = await call(baseMapEndpoints.upload, { query, form, signal }).catch((thrown: unknown) => {
      const received_bytes = receivedOf(thrown);
      if (received_bytes === undefined || received_bytes === sent_bytes) throw thrown;
      return { received_bytes, base_map: null };
    });
    if (signal.aborted) return;
    upload.value = told.base_map === null ? { file, name, sent_bytes: told.received_bytes } : null;
    if (told.base_map !== null) uploaded(told.base_map);
  }

  /** What is no map is not gone on with; all else may be. */
  function fail(thrown: unknown): void {
    error.value = thrown;
    if (isApiError(thrown) && ['unreadable_file', 'already_exists', 'invalid_field'].includes(thrown.code)) {
      upload.value = null;
    }
  }

  function pause(): void {
    sending.abort();
    isRunning.value = false;
  }

  function cancel(): void {
    pause();
    upload.value = null;
    error.value = null;
  }

  onScopeDispose(pause);
  return { upload, isRunning, error, begin, pause, resume, cancel };
}

/** Of an answer that was lost on its way the server has the part already. */
function receivedOf(error: unknown): number | undefined {
  const received: unknown =
    isApiError(error) && error.code === 'conflict' ? error.problem?.['received_bytes'] : undefined;
  return typeof received === 'number' ? received : undefined;
}

/** The server keeps files by plain names: other signs become hyphens, and a name without any plain sign becomes `map`. */
export function nameOf(file: string): string {
  const ending = /\.pmtiles$/i.test(file) ? 'pmtiles' : 'mbtiles';
  const plain = file
    .replace(/\.[^.]*$/, '')
    .replaceAll(/[^A-Za-z0-9_]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 64);
  return `${plain || 'map'}.${ending}`;
}
