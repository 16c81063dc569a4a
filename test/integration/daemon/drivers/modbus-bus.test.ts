import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { ModbusBus } from '../../../../server/daemon/drivers/modbus/bus.ts';
import { settled } from '../../../support/manual-clock.ts';

const calm = new AbortController().signal;

/** A bus to a server that takes everything and says nothing. */
async function silentBus() {
  const server = createServer((socket) => void socket.resume()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // a TCP server has an address object
  const bus = new ModbusBus({ host: '127.0.0.1', port }, () => 0);
  const close = async (): Promise<void> => {
    await bus.close();
    server.close();
  };
  return { bus, close };
}

it('waits for no answer longer than a device beside it can go without being fed', async () => {
  const { bus, close } = await silentBus();
  const request = { unit_id: 1, urgency: 'poll', timeoutMs: 3_600_000, signal: calm } as const;
  await bus.request({ ...request, ask: async () => 'connected' });
  bus.limit(1)();
  bus.limit(100);
  bus.limit(900);
  await expect(bus.request({ ...request, ask: (client) => client.readHoldingRegisters(0, 1) })).rejects.toMatchObject({
    code: 'timed_out',
    message: 'no answer within 100 ms',
  });
  await close();
});

it('goes on where the client forgets a request', async () => {
  const { bus, close } = await silentBus();
  const request = { unit_id: 1, urgency: 'poll', timeoutMs: 10, signal: calm } as const;
  const forgotten = bus.request({ ...request, ask: () => new Promise<never>(() => undefined) });
  const next = bus.request({ ...request, unit_id: 2, urgency: 'command', ask: async () => 'sent' });
  await expect(forgotten).rejects.toMatchObject({ code: 'timed_out' });
  expect(await next).toBe('sent');
  await close();
});

it('keeps nothing of an answered request while its connection lasts', async () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // exposed by the flag
  const { bus, close } = await silentBus();
  const ask = (answer: object): Promise<object> =>
    bus.request({ unit_id: 1, urgency: 'poll', timeoutMs: 1_000, signal: calm, ask: async () => answer });
  const askAndForget = async (): Promise<WeakRef<object>> => new WeakRef(await ask({}));
  const answered = await askAndForget();
  await ask({}); // the bus remembers the last one, for the next to take its turn after it
  await settled();
  collect();
  expect(answered.deref()).toBeUndefined();
  await close();
});
