import { onScopeDispose, shallowRef } from 'vue';
import type { ErrorCode } from '../../../server/contract/errors.ts';
import { isAborted, isApiError } from '../../client/api-error.ts';

export interface PartUpload {
  file: File;
  /** The name under which the server stores it. */
  name: string;
  sent_bytes: number;
}

interface Part {
  upload: PartUpload;
  form: FormData;
  query: { offset: number; total_bytes: number };
  signal: AbortSignal;
}

interface Sending<Told> {
  mostPartBytes: number;
  send: (part: Part) => Promise<Told>;
  /** Called after the last part with its answer; null when the answer was lost. */
  sent: (told: Told | null, upload: PartUpload) => void;
}

/** After these errors the upload is not resumed. */
const final: readonly ErrorCode[] = ['unreadable_file', 'already_exists', 'invalid_field'];

/** The state of an upload for its progress display. */
export type PartSending = Pick<
  ReturnType<typeof usePartUpload>,
  'upload' | 'isRunning' | 'pause' | 'resume' | 'cancel'
>;

/** Uploads a file in parts: progress, pause, and resume where it stopped. Leaving the page ends it. */
export function usePartUpload<Told extends { received_bytes: number }>({ mostPartBytes, send, sent }: Sending<Told>) {
  const upload = shallowRef<PartUpload | null>(null);
  const isRunning = shallowRef(false);
  const error = shallowRef<unknown>(null);
  let sending = new AbortController();

  async function begin(file: File, name: string): Promise<void> {
    upload.value = { file, name, sent_bytes: 0 };
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

  async function sendPart(at: PartUpload, signal: AbortSignal): Promise<void> {
    const { file, name, sent_bytes } = at;
    const form = new FormData();
    form.append('file', file.slice(sent_bytes, sent_bytes + mostPartBytes), name);
    const query = { offset: sent_bytes, total_bytes: file.size };
    let told: Told | null = null;
    const received_bytes = await send({ upload: at, form, query, signal }).then(
      (answer) => (told = answer).received_bytes,
      (thrown: unknown) => {
        const received = receivedOf(thrown);
        if (received === undefined || received === sent_bytes) throw thrown;
        return received;
      },
    );
    if (signal.aborted) return;
    const isWhole = received_bytes >= file.size;
    upload.value = isWhole ? null : { file, name, sent_bytes: received_bytes };
    if (isWhole) sent(told, at);
  }

  function fail(thrown: unknown): void {
    error.value = thrown;
    if (isApiError(thrown) && final.some((code) => code === thrown.code)) upload.value = null;
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

/** When an answer was lost, the server already has the part. */
function receivedOf(error: unknown): number | undefined {
  const received: unknown =
    isApiError(error) && error.code === 'conflict' ? error.problem?.['received_bytes'] : undefined;
  return typeof received === 'number' ? received : undefined;
}
