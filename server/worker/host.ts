import type { MessagePort } from 'node:worker_threads';
import { isRefusal } from '../contract/errors.ts';
import { closeMessage, ownBuffer, type TaskAnswer, type TaskMessage } from './client.ts';

interface Hosted<Own> {
  own: Own;
  tasks: Record<string, (own: Own, ...given: never[]) => unknown>;
  /** Called before each task. */
  before?: () => void;
  /** Releases what `own` holds. */
  close: () => void;
}

/**
 * The worker's side of WorkerClient: runs each task that arrives, answers it, and ends when asked to. A task may be
 * asynchronous if it waits for nothing from outside: the next one begins when it is done.
 */
export function serveTasks<Own>(port: MessagePort, { own, tasks, before, close }: Hosted<Own>): void {
  port.on('message', (message: TaskMessage | typeof closeMessage) => {
    if (message === closeMessage) {
      close();
      port.close();
      return;
    }
    const answered = answerTo(message, (given) => {
      before?.();
      const task = tasks[message.name];
      if (task === undefined) throw new RangeError(`there is no task ${message.name}`);
      return task(own, ...(given as never[])); // the client's type holds name and arguments together
    });
    void answered.then((answer) => port.postMessage(answer, transferred(answer)));
  });
}

async function answerTo({ id, given }: TaskMessage, run: (given: unknown[]) => unknown): Promise<TaskAnswer> {
  try {
    const result = await run(given);
    return { id, result: typeof result === 'string' ? new TextEncoder().encode(result) : result };
  } catch (error) {
    return failureOf(id, error);
  }
}

function failureOf(id: number, error: unknown): TaskAnswer {
  if (isRefusal(error)) {
    const { code, message: detail, errors, members } = error;
    return { id, refusal: { code, detail, ...(errors !== undefined && { errors }), members } };
  }
  const { message, stack, code } = error as NodeJS.ErrnoException; // only errors are thrown here
  return { id, fault: { code: code ?? 'worker_fault', message, stack } };
}

/** Buffers of bytes that are the result or one of its members. */
function transferred(answer: TaskAnswer): ArrayBuffer[] {
  const result = 'result' in answer ? answer.result : undefined;
  return result instanceof Uint8Array ? ownBuffer(result) : Object.values(result ?? {}).flatMap(ownBuffer);
}
