import ModbusRTU from 'modbus-serial';
import { messageOf } from '../../../contract/message-of.ts';
import { deviceSays } from '../../../contract/device-words.ts';
import { DriverError } from '../driver.ts';
import { BusTurns, type Urgency } from './bus-turns.ts';
import { LineWatch, type LineTold } from './line-watch.ts';

/** After a failed connection the bus refuses at once for this long, doubled at each further failure up to the last. */
const firstBackoffMs = 500;
const lastBackoffMs = 30_000;
/**
 * The client's transaction ids wrap after 256 requests: a late answer would then be taken for another's. So the
 * connection is replaced this many requests after an unanswered one.
 */
const requestsAfterSilence = 200;
/** The client ends a request by its own time-out; if it loses one, the bus goes on after this much longer. */
const forgottenMs = 500;
/** A gateway's codes for a unit that does not answer: path unavailable, target failed to respond. */
const gatewayCodes = [10, 11];
/** After this many unanswered requests in a row the stream may be cut at the wrong places. */
const mostSilences = 3;

export interface BusRequest<Answer> {
  unit_id: number;
  urgency: Urgency;
  /** The bus may allow less. */
  timeoutMs: number;
  signal: AbortSignal;
  /** Its silence says nothing of the line: there need be no such unit. */
  isProbe?: boolean;
  ask(client: ModbusRTU): Promise<Answer>;
}

/**
 * One TCP connection to a Modbus server or gateway, shared by all units behind it. Requests take turns, urgent ones
 * first, so a silent unit delays the others only by its own time-out. Reconnects with the next request.
 */
export class ModbusBus {
  readonly #host: string;
  readonly #port: number;
  readonly #elapsed: () => number;
  #connection: Connection | null = null;
  readonly #turns = new BusTurns();
  readonly #longest = new Set<{ ms: number }>();
  #failures = 0;
  #refuseUntil = 0;
  #lastFailure = '';
  #isClosed = false;
  readonly #line: LineWatch;

  /** `elapsed`: monotonic ms. `told`: as of `LineWatch`. */
  constructor(address: { host: string; port: number }, elapsed: () => number, told: LineTold = () => undefined) {
    this.#line = new LineWatch(elapsed, told);
    this.#host = address.host;
    this.#port = address.port;
    this.#elapsed = elapsed;
  }

  /** Waits for its turn, then asks. Throws DriverError. */
  request<Answer>(request: BusRequest<Answer>): Promise<Answer> {
    return this.#turns.take(request.unit_id, request.urgency, () => this.#ask(request));
  }

  /**
   * Limits the time-out of all requests, ms, until the returned function is called: a unit must be fed more often than
   * that.
   */
  limit(ms: number): () => void {
    const limit = { ms };
    this.#longest.add(limit);
    return () => void this.#longest.delete(limit);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    this.#line.released();
    this.#drop();
    return Promise.resolve();
  }

  async #ask<Answer>(request: BusRequest<Answer>): Promise<Answer> {
    if (request.signal.aborted) throw new DriverError('unreachable', deviceSays('bus_busy'));
    const timeoutMs = Math.min(request.timeoutMs, ...[...this.#longest].map(({ ms }) => ms));
    const connection = await this.#connected(timeoutMs);
    const { client } = connection;
    client.setID(request.unit_id);
    client.setTimeout(timeoutMs);
    try {
      const answer = await connection.outlast(request.ask(client), timeoutMs + forgottenMs);
      this.#line.heard(request.unit_id);
      return answer;
    } catch (error) {
      const fault = this.#explain(error, timeoutMs);
      if (!isSilence(fault)) this.#line.heard(request.unit_id);
      else if (request.isProbe !== true) this.#line.missed(request.unit_id);
      throw fault;
    }
  }

  async #connected(timeoutMs: number): Promise<Connection> {
    if (this.#isClosed) throw new DriverError('closed', deviceSays('bus_closed'));
    if (this.#connection?.isUsable) return this.#connection;
    this.#drop();
    if (this.#elapsed() < this.#refuseUntil) throw new DriverError('unreachable', this.#lastFailure);
    const client = new ModbusRTU();
    client.on('error', () => undefined); // the request that notices it reports it
    try {
      await connect(client, { host: this.#host, port: this.#port, timeoutMs });
    } catch (error) {
      throw this.#backOff(error);
    }
    this.#failures = 0;
    this.#line.connected();
    this.#connection = new Connection(client);
    return this.#connection;
  }

  #backOff(error: unknown): DriverError {
    const wait = Math.min(lastBackoffMs, firstBackoffMs * 2 ** this.#failures);
    this.#failures += 1;
    this.#refuseUntil = this.#elapsed() + wait;
    this.#lastFailure = deviceSays('no_connection', { host: `${this.#host}:${this.#port}`, said: messageOf(error) });
    this.#line.lost(this.#lastFailure);
    return new DriverError('unreachable', this.#lastFailure, { cause: error });
  }

  #explain(error: unknown, timeoutMs: number): DriverError {
    if (error instanceof DriverError) return error;
    if (isTimeout(error))
      return new DriverError('timed_out', deviceSays('no_answer_ms', { ms: Math.round(timeoutMs) }), { cause: error });
    if (!(error instanceof Error)) return new DriverError('bad_answer', String(error));
    if ('modbusCode' in error) return new DriverError('refused', error.message, { cause: error });
    this.#drop();
    const code = error instanceof ConnectionLost ? 'timed_out' : 'bad_answer';
    return new DriverError(code, error.message, { cause: error });
  }

  #drop(): void {
    const connection = this.#connection;
    this.#connection = null;
    connection?.client.destroy(() => undefined);
  }
}

/** Whether no unit answered, by its own time or by what the gateway says. */
export function isSilence({ code, cause }: DriverError): boolean {
  if (code !== 'refused') return code === 'timed_out';
  const isException = typeof cause === 'object' && cause !== null && 'modbusCode' in cause;
  return isException && typeof cause.modbusCode === 'number' && gatewayCodes.includes(cause.modbusCode);
}

/** The client's time-out is an object with `errno` that is no Error. */
function isTimeout(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'errno' in error && error.errno === 'ETIMEDOUT';
}

class ConnectionLost extends Error {}

/** An open connection, whose end the client itself would notice only at its time-out. */
class Connection {
  readonly client: ModbusRTU;
  #lose: ((reason: ConnectionLost) => void) | undefined;
  #silencesInARow = 0;
  /** Requests since the first unanswered one; null while all were answered. */
  #sinceSilence: number | null = null;

  constructor(client: ModbusRTU) {
    this.client = client;
    client.on('close', () => this.#lose?.(new ConnectionLost('the connection was lost before the answer')));
  }

  /** False once a late answer could be taken for that to another request. */
  get isUsable(): boolean {
    const isFresh = (this.#sinceSilence ?? 0) < requestsAfterSilence && this.#silencesInARow < mostSilences;
    return this.client.isOpen && isFresh;
  }

  /** Waits for an answer while the connection lasts, and at most `longestMs`; one at a time. */
  async outlast<Answer>(answer: Promise<Answer>, longestMs: number): Promise<Answer> {
    // One promise a request: races against a promise that stays open would accumulate in it.
    const { promise: lost, reject } = Promise.withResolvers<never>();
    this.#lose = reject;
    const forgotten = setTimeout(() => reject(new ConnectionLost(`no answer in ${longestMs} ms`)), longestMs);
    if (this.#sinceSilence !== null) this.#sinceSilence += 1;
    try {
      const given = await Promise.race([answer, lost]);
      this.#silencesInARow = 0;
      return given;
    } catch (error) {
      if (isTimeout(error)) this.#noteSilence();
      throw error;
    } finally {
      clearTimeout(forgotten);
      this.#lose = undefined;
    }
  }

  #noteSilence(): void {
    this.#silencesInARow += 1;
    this.#sinceSilence ??= 0;
  }
}

interface ConnectOptions {
  host: string;
  port: number;
  timeoutMs: number;
}

/** The client's own connect waits for the system's time-out, which is minutes. */
async function connect(client: ModbusRTU, { host, port, timeoutMs }: ConnectOptions): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer in ${timeoutMs} ms`)), timeoutMs);
  });
  try {
    await Promise.race([client.connectTCP(host, { port }), tooLong]);
  } catch (error) {
    client.destroy(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
