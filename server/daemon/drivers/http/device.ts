import { isHttpDimmer, type HttpChannel, type HttpOptions } from '../../../contract/drivers/http.ts';
import { deviceSays } from '../../../contract/device-words.ts';
import { positionPct } from '../output-value.ts';
import { Turns } from '../../turns.ts';
import {
  DriverError,
  type Actuating,
  type OutputValue,
  type Reading,
  type ReadingBack,
  type Sensing,
} from '../driver.ts';
import { numberAt } from '../payload.ts';
import type { HttpLink } from './link.ts';
import { filled } from './template.ts';

const contentTypes = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  text: 'text/plain; charset=utf-8',
} as const;

/** A device may return a position rounded to the percent. */
const rounding_pct = 0.5;

/** A device that is read and commanded by HTTP. Small ones serve few connections, so it gets one request at a time. */
export class HttpDevice implements Sensing, Actuating, ReadingBack {
  readonly #link: Pick<HttpLink, 'ask'>;
  readonly #readPath: string | undefined;
  readonly #channels: readonly HttpChannel[];
  readonly #turns = new Turns();

  constructor(link: Pick<HttpLink, 'ask'>, options: HttpOptions, channels: readonly number[]) {
    this.#link = link;
    this.#readPath = options.read_path;
    this.#channels = options.channels.filter(({ channel }) => channels.includes(channel));
  }

  /** Whether it reports the state of any channel. */
  get tellsState(): boolean {
    return this.#readable().length > 0;
  }

  async read(signal: AbortSignal): Promise<readonly Reading[]> {
    const numbers = await this.#numbers(this.#readable(), signal);
    if ([...numbers.values()].every((value) => value === null))
      throw new DriverError('bad_answer', deviceSays('no_number'));
    return [...numbers].map(([{ channel }, value]) => ({ channel, value }));
  }

  async readState(signal: AbortSignal): Promise<ReadonlyMap<number, OutputValue | null>> {
    const numbers = await this.#numbers(this.#readable(), signal);
    return new Map([...numbers].map(([channel, number]) => [channel.channel, stateOf(channel, number)]));
  }

  async write(number: number, value: OutputValue, signal: AbortSignal): Promise<{ acknowledged: boolean }> {
    const channel = this.#channels.find((one) => one.channel === number);
    if (channel?.command_path === undefined)
      throw new DriverError('unsupported', deviceSays('channel_no_commands', { channel: number }));
    await this.#command(channel, channel.command_path, { value, signal });
    if (channel.readback !== false) await this.#compare(channel, value, signal);
    return { acknowledged: true };
  }

  #command(
    { command_method: method = 'POST', command_body: body, command_type = 'json' }: HttpChannel,
    path: string,
    { value, signal }: { value: OutputValue; signal: AbortSignal },
  ): Promise<Buffer> {
    const type = { 'content-type': contentTypes[command_type] };
    const sent = method === 'GET' || body === undefined ? {} : { body: filled(body, value), headers: type };
    return this.#inTurn('command', signal, () => this.#link.ask(filled(path, value), signal, { method, ...sent }));
  }

  /**
   * A device that accepts and does something else has not confirmed. If it cannot be read afterwards, its acceptance
   * counts.
   */
  async #compare(channel: HttpChannel, value: OutputValue, signal: AbortSignal): Promise<void> {
    if (this.#pathOf(channel) === undefined) return;
    const numbers = await this.#numbers([channel], signal).catch(() => undefined);
    if (numbers === undefined) return;
    const state = stateOf(channel, numbers.get(channel) ?? null);
    if (state !== null && Math.abs(positionPct(state) - positionPct(value)) <= rounding_pct) return;
    throw new DriverError('bad_answer', deviceSays('other_state', { value, said: state ?? 'no state' }));
  }

  /** The numbers that the device reports for channels, with one request a path; null when it is not a number. */
  async #numbers(channels: readonly HttpChannel[], signal: AbortSignal): Promise<Map<HttpChannel, number | null>> {
    const numbers = new Map<HttpChannel, number | null>();
    for (const [path = '/', there] of Map.groupBy(channels, (channel) => this.#pathOf(channel))) {
      const answer = await this.#inTurn('question', signal, () => this.#link.ask(path, signal));
      for (const channel of there) numbers.set(channel, numberAt(answer, channel.path) ?? null);
    }
    return numbers;
  }

  #inTurn<Answer>(kind: 'command' | 'question', signal: AbortSignal, ask: () => Promise<Answer>): Promise<Answer> {
    return this.#turns.take(kind, () => {
      if (signal.aborted) throw new DriverError('unreachable', deviceSays('device_busy'));
      return ask();
    });
  }

  #readable(): HttpChannel[] {
    return this.#channels.filter((channel) => this.#pathOf(channel) !== undefined);
  }

  #pathOf({ read_path }: HttpChannel): string | undefined {
    return read_path ?? this.#readPath;
  }
}

/** null when the number is none of its states. */
function stateOf(channel: HttpChannel, number: number | null): OutputValue | null {
  if (isHttpDimmer(channel)) return number !== null && number >= 0 && number <= 100 ? number : null;
  return number === 1 ? 'on' : number === 0 ? 'off' : null;
}
