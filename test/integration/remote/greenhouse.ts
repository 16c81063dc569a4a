import { messageTypes } from '../../../server/remote/frame.ts';
import type { RemoteCall, RemoteMethod } from '../../../server/remote/method.ts';
import type { Serializer } from '../../../server/remote/serializer.ts';
import { Tuple } from '../../../server/remote/tuple.ts';
import { objectName, RawPeer } from './loopback.ts';

export const greenhouse: Record<string, RemoteMethod> = {
  check_daemon: { parameters: [], handler: async () => null },
  output_on: {
    parameters: [
      { name: 'output_id' },
      { name: 'output_type', default: 'sec' },
      { name: 'amount', default: 0 },
      { name: 'min_off', default: 0 },
      { name: 'trigger_conditionals', default: true },
      { name: 'output_channel', default: null },
    ],
    handler: async (args) => new Tuple([0, JSON.stringify(args)]),
  },
  output_states_all: {
    parameters: [],
    handler: async () => ({
      'a-b': new Map<number, unknown>([
        [0, 'off'],
        [1, 12.5],
      ]),
      c: new Map([[0, null]]),
    }),
  },
};

export const echo: RemoteMethod = { parameters: [{ name: 'value' }], handler: async ({ value }) => value };
export const failing = (error: unknown): RemoteMethod => ({
  parameters: [],
  handler: async () => {
    throw error;
  },
});

/** A method that ends when its caller lets it, and tells of each of its calls. */
export function gate() {
  const calls: RemoteCall[] = [];
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: entered, resolve: enter } = Promise.withResolvers<void>();
  const handler = async (_args: unknown, call: RemoteCall) => {
    calls.push(call);
    enter();
    await opened;
    return 'through';
  };
  return { method: { parameters: [], handler } satisfies RemoteMethod, calls, open, entered };
}

export const aborted = (signal: AbortSignal | undefined) =>
  new Promise<unknown>((resolve) => {
    if (signal?.aborted === true) resolve(signal.reason);
    else signal?.addEventListener('abort', () => resolve(signal.reason));
  });

export function ask(
  peer: RawPeer,
  serializer: Serializer,
  method: string,
  more: { flags?: number; object?: string } = {},
) {
  const { object = objectName, flags = 0 } = more;
  const payload = serializer.encodeInvocation({ object, method, positional: [], keywords: {} });
  return peer.ask({ type: messageTypes.invoke, serializer: serializer.id, seq: 7, flags, payload });
}

export async function pingFrame(port: number) {
  const peer = await RawPeer.greet(port);
  return peer.ask({ type: messageTypes.ping, serializer: 42, payload: Buffer.from('ping') });
}

/** The server learns of a departure a moment after the one who left; each refusal gives it a turn. */
export async function greetWhenFree(port: number): Promise<RawPeer> {
  for (let left = 100; left > 0; left -= 1) {
    const peer = await RawPeer.greet(port).catch(() => undefined);
    if (peer !== undefined) return peer;
  }
  throw new Error('no place became free');
}
