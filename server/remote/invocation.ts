import { exceptionToWire, protocolError, publicError, RemoteError } from './exception.ts';
import { bindArguments } from './method.ts';
import type { RemoteCall } from './method.ts';
import type { Invocation } from './serializer.ts';
import { findMethod, refuseAttribute } from './served-object.ts';
import type { ObjectTable } from './served-object.ts';

const ATTRIBUTE_ACCESS: ReadonlySet<string> = new Set(['__getattr__', '__setattr__']);

export interface Dispatcher {
  readonly objects: ObjectTable;
  /** Told of every fault whose text the caller does not get. */
  readonly onFault: (error: unknown) => void;
}

/** Runs one call. Rejects with a RemoteError that may be shown; a fault of the handler is told to `onFault` and hidden. */
export async function invoke(dispatcher: Dispatcher, invocation: Invocation, call: RemoteCall): Promise<unknown> {
  const { object, method, positional, keywords } = invocation;
  if (ATTRIBUTE_ACCESS.has(method)) return refuseAttribute(positional);
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

/** Runs the calls of a batch in order; the first failure becomes the last result. Stops between calls when the call is aborted. */
export async function invokeBatch(dispatcher: Dispatcher, batch: Invocation, call: RemoteCall): Promise<unknown[]> {
  const invocations = batch.positional.map((item) => batchItem(batch.object, item));
  const results: unknown[] = [];
  for (const invocation of invocations) {
    if (call.signal.aborted) break;
    try {
      results.push(await invoke(dispatcher, invocation, call));
    } catch (error) {
      if (!(error instanceof RemoteError)) throw error;
      results.push({ __class__: 'Pyro5.core._ExceptionWrapper', exception: exceptionToWire(error, true) });
      break;
    }
  }
  return results;
}

function batchItem(object: string, item: unknown): Invocation {
  const [method, positional, keywords] = Array.isArray(item) ? (item as unknown[]) : []; // narrowed to any[] by isArray
  if (typeof method !== 'string' || !Array.isArray(positional)) {
    throw protocolError('a call in a batch has a name, arguments and keywords');
  }
  return { object, method, positional, keywords };
}
