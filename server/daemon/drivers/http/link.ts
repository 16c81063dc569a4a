import type { HttpOptions } from '../../../contract/drivers/http.ts';
import { deviceSays } from '../../../contract/device-words.ts';
import { baseAddress } from '../../../outbound/base-address.ts';
import { OutboundError } from '../../../outbound/outbound-error.ts';
import { Outbound, type OutboundOptions, type OutboundRequest } from '../../../outbound/outbound.ts';
import { DriverError, type DriverErrorCode } from '../driver.ts';

const defaultTimeoutMs = 3_000;
const mostBytes = 262_144;

type Request = Pick<OutboundRequest, 'method' | 'headers' | 'body'>;

/** What an unanswered request means for the device. */
const codes: Record<OutboundError['code'], DriverErrorCode> = {
  invalid_address: 'unsupported',
  refused_address: 'unsupported',
  unreachable: 'unreachable',
  interrupted: 'timed_out',
  timed_out: 'timed_out',
  too_large: 'bad_answer',
};

/** Requests to one device: to its address only, each over its own connection. */
export class HttpLink {
  readonly #outbound: Outbound;
  readonly #base: string;
  readonly #headers: Record<string, string>;
  readonly #timeoutMs: number;

  constructor(options: HttpOptions, network: OutboundOptions = {}) {
    const { base_url, ca, timeout_ms = defaultTimeoutMs } = options;
    this.#outbound = new Outbound({
      connectTimeoutMs: timeout_ms,
      keepAlive: false,
      ...network,
      ...(ca !== undefined && { ca }),
    });
    this.#base = baseAddress(base_url);
    this.#headers = { accept: 'application/json, text/plain;q=0.9, */*;q=0.1', ...authorization(options) };
    this.#timeoutMs = timeout_ms;
  }

  /** The body of a successful answer (2xx). Throws DriverError. */
  async ask(path: string, signal: AbortSignal, { headers, ...request }: Request = {}): Promise<Buffer> {
    try {
      const { status, body } = await this.#outbound.fetch(`${this.#base}${path}`, {
        ...request,
        headers: { ...this.#headers, ...headers },
        signal,
        policy: 'lan',
        redirects: 'none',
        timeoutMs: 2 * this.#timeoutMs,
        maxBytes: mostBytes,
      });
      refuseStatus(status);
      return body;
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new DriverError(codes[error.code], error.message, { cause: error });
    }
  }

  close(): Promise<void> {
    return this.#outbound.close();
  }
}

function authorization({ username, password }: HttpOptions): Record<string, string> {
  if (typeof password !== 'string') return {};
  if (username === undefined) return { authorization: `Bearer ${password}` };
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` };
}

/** With 4xx the device refuses (RFC 9110, 15.5); after a redirect or a server error the result is unknown. */
function refuseStatus(status: number): void {
  if (status >= 200 && status < 300) return;
  const isRefused = status >= 400 && status < 500;
  const word = status >= 300 && status < 400 ? 'http_elsewhere' : 'http_status';
  throw new DriverError(isRefused ? 'refused' : 'bad_answer', deviceSays(word, { status }));
}
