import { protocolError, publicError, RemoteError } from './exception.ts';
import { bindArguments, type RemoteCall } from './method.ts';
import type { BatchAnswer } from './batch-answer.ts';
import type { Invocation } from './serializer.ts';
import { findMethod, refuseAttribute, type ObjectTable } from './served-object.ts';

const attributeAccess: ReadonlySet<string> = new Set(['__getattr__', '__setattr__']);

export interface Dispatcher {
  readonly objects: ObjectTable;
  /** Called with every fault whose text the caller does not get. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Runs one call. Rejects with a RemoteError that may be shown; a fault of the handler goes to `onFault` and is hidden.
 */
export async function invoke(dispatcher: Dispatcher, invocation: Invocation, call: RemoteCall): Promise<unknown> {
  const { object, method, positional, keywords } = invocation;
  if (attributeAccess.has(method)) return refuseAttribute(positional);
  const found = findMethod(dispatcher.objects, object, method);
  const args = bindArguments(found.parameters, positional, keywords);
  try {
    return await found.handler(args, call);
  } catch (thrown) {
    const shown = publicError(thrown);
    if (shown !== undefined) throw shown;
    dispatcher.onFault(thrown);
    throw new RemoteError('internal_error', `'${method}' failed`, { cause: thrown });
  }
}

interface BatchRun {
  call: RemoteCall;
  /** Takes the results; undefined when none are wanted. */
  answer: BatchAnswer | undefined;
  /** Waits until the next call may begin. */
  pass: () => Promise<void>;
}

/**
 * Runs the calls of a batch in order; the first failure becomes the last result. Stops between calls when the call is
 * aborted, and when the answer is full.
 */
export async function invokeBatch(dispatcher: Dispatcher, batch: Invocation, run: BatchRun): Promise<void> {
  const { call, answer, pass } = run;
  const invocations = batch.positional.map((item) => batchItem(batch.object, item));
  for (const invocation of invocations) {
    await pass();
    if (call.signal.aborted || answer?.isFull === true) return;
    try {
      const result = await invoke(dispatcher, invocation, call);
      await pass();
      addTo(answer, result, dispatcher);
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      answer?.fail(error);
      return;
    }
  }
}

/** A result that cannot be written is a fault of the handler, whatever the caller gets. */
function addTo(answer: BatchAnswer | undefined, result: unknown, { onFault }: Dispatcher): void {
  try {
    answer?.add(result);
  } catch (error) {
    onFault(error);
    throw error;
  }
}

function batchItem(object: string, item: unknown): Invocation {
  const [method, positional, keywords] = Array.isArray(item) ? (item as unknown[]) : []; // narrowed to any[] by isArray
  if (typeof method !== 'string' || !Array.isArray(positional)) {
    throw protocolError('a call in a batch has a name, arguments and keywords');
  }
  return { object, method, positional, keywords };
}
