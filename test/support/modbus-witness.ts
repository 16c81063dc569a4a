import { once } from 'node:events';
import type { Server, Socket } from 'node:net';
import { ServerTCP } from 'modbus-serial';
import { onTestFinished } from 'vitest';
import { freePort } from './daemon-process.ts';

/** A Modbus device in the test's own process: it survives every kill and records each write to its coils. */
export interface ModbusWitness {
  port: number;
  coil(address: number): boolean;
  /** The values of a coil since `mark`, without repetitions: the movements of an actuator. */
  moves(address: number, mark: number): boolean[];
  /** The values of a coil, each with its time. */
  course(address: number): { at_ms: number; to: boolean }[];
  /** Sets the value of a holding register, 0 before. */
  say(address: number, value: number): void;
  /** A position in the record of writes. */
  mark(): number;
  /** How often its dead-man timer was restarted. */
  feeds(): number;
  /** The position after everything that its master sent before it disconnected. */
  hungUp(): Promise<number>;
  /** Number of connected masters. */
  masters(): number;
}

interface Write {
  address: number;
  from: boolean;
  to: boolean;
  at_ms: number;
}

/** A register to which each write restarts a timer; when the timer runs out, all coils go off. */
interface WitnessTimer {
  address: number;
  after_ms: number;
}

/** The server handles a request in a timer of its own, even if the sender has disconnected meanwhile. */
const afterRequestsMs = 10;

/**
 * Its holding register 0 counts how often it was read.
 * @param now of its record, epoch ms
 */
export async function startModbusWitness(timer?: WitnessTimer, now = Date.now): Promise<ModbusWitness> {
  const coils = new Map<number, boolean>();
  const said = new Map<number, number>();
  const writes: Write[] = [];
  let reads = 0;
  let feeds = 0;
  let fallsSafe: NodeJS.Timeout | undefined;
  const feed = (): void => {
    feeds += 1;
    clearTimeout(fallsSafe);
    fallsSafe = setTimeout(() => coils.clear(), timer?.after_ms);
  };
  onTestFinished(() => clearTimeout(fallsSafe));
  const port = await freePort(); // this server takes 0 for its default, 502, which parallel tests cannot share
  const server = new ServerTCP(
    {
      getHoldingRegister: (address: number) => (address === 0 ? (reads += 1) : (said.get(address) ?? 0)),
      setRegister: (address: number) => {
        if (address === timer?.address) feed();
      },
      getCoil: (address: number) => coils.get(address) ?? false,
      setCoil: (address: number, to: boolean) => {
        writes.push({ address, from: coils.get(address) ?? false, to, at_ms: now() });
        coils.set(address, to);
      },
    },
    { host: '127.0.0.1', port, unitID: 255 },
  );
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  await once(server, 'initialized');
  // The server's types hide its socket, from which its connections are read.
  const inner = (server as unknown as { _server: Server })._server;
  let hangUp = Promise.withResolvers<void>();
  let masters = 0;
  inner.on('connection', (socket: Socket) => {
    masters += 1;
    socket.once('close', () => {
      masters -= 1;
      const { resolve } = hangUp;
      hangUp = Promise.withResolvers();
      setTimeout(resolve, afterRequestsMs);
    });
  });
  const changesOf = (address: number, mark = 0): Write[] =>
    writes.slice(mark).filter((write) => write.address === address && write.from !== write.to);
  return {
    port,
    coil: (address) => coils.get(address) ?? false,
    moves: (address, mark) => changesOf(address, mark).map(({ to }) => to),
    course: (address) => changesOf(address).map(({ at_ms, to }) => ({ at_ms, to })),
    say: (address, value) => void said.set(address, value),
    mark: () => writes.length,
    feeds: () => feeds,
    hungUp: () => hangUp.promise.then(() => writes.length),
    masters: () => masters,
  };
}
