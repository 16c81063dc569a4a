import type ModbusRTU from 'modbus-serial';
import type { ModbusOptions, ModbusRegister } from '../../../contract/drivers/modbus.ts';
import { messageOf } from '../../../contract/message-of.ts';
import { deviceSays } from '../../../contract/device-words.ts';
import {
  DriverError,
  type Actuating,
  type DeadMan,
  type OutputValue,
  type Reading,
  type ReadingBack,
  type Sensing,
} from '../driver.ts';
import type { Urgency } from './bus-turns.ts';
import type { ModbusBus } from './bus.ts';
import { decodeWords, encodeWords, isBit, percentOf, planBlocks, width, type Block } from './registers.ts';

const defaultTimeoutMs = 1000;
const defaultUnit = 1;

interface Asking {
  signal: AbortSignal;
  urgency: Urgency;
}

/** A unit on a bus with its register map: reads all its registers in as few requests as their addresses allow. */
export class ModbusUnit implements Sensing, Actuating, ReadingBack {
  readonly #bus: ModbusBus;
  readonly #options: ModbusOptions;
  readonly #registers: readonly ModbusRegister[];
  readonly #blocks: readonly Block[];

  constructor(bus: ModbusBus, options: ModbusOptions, channels: readonly number[]) {
    this.#bus = bus;
    this.#options = options;
    this.#registers = options.registers.filter(({ channel }) => channels.includes(channel));
    this.#blocks = planBlocks(this.#registers);
  }

  async read(signal: AbortSignal): Promise<readonly Reading[]> {
    const readings: Reading[] = [];
    for (const block of this.#blocks) readings.push(...(await this.#readBlock(block, { signal, urgency: 'poll' })));
    return readings;
  }

  async write(channel: number, value: OutputValue, signal: AbortSignal): Promise<{ acknowledged: boolean }> {
    const register = this.#registers.find((one) => one.channel === channel);
    if (!register) throw new DriverError('unsupported', deviceSays('no_register', { channel }));
    const asking: Asking = { signal, urgency: 'command' };
    if (isBit(register)) await this.#writeCoil(register, value, asking);
    else await this.#writeWords(register, percentOf(value), asking);
    if (register.readback !== false) await this.#compare(register, value, asking);
    return { acknowledged: true };
  }

  async readState(signal: AbortSignal): Promise<ReadonlyMap<number, OutputValue>> {
    const states = new Map<number, OutputValue>();
    for (const { channel, value } of await this.read(signal)) {
      const register = this.#registers.find((one) => one.channel === channel);
      if (value !== null && register) states.set(channel, isBit(register) ? (value === 0 ? 'off' : 'on') : value);
    }
    return states;
  }

  /** The dead-man timer that the options describe. */
  get dead_man(): DeadMan | undefined {
    const { dead_man } = this.#options;
    if (dead_man === undefined) return undefined;
    const { address, dead_man_s, feed_value } = dead_man;
    let turn = 0;
    const feed = async (signal: AbortSignal): Promise<void> => {
      turn = (turn % 2) + 1;
      await this.#writeRegister(address, feed_value ?? turn, { signal, urgency: 'feed' });
    };
    return { dead_man_s, feed };
  }

  #request<Answer>({ signal, urgency }: Asking, ask: (client: ModbusRTU) => Promise<Answer>): Promise<Answer> {
    return this.#bus.request({
      urgency,
      unit_id: this.#options.unit_id ?? defaultUnit,
      timeoutMs: this.#options.timeout_ms ?? defaultTimeoutMs,
      signal,
      ask,
    });
  }

  async #readBlock({ table, address, length, registers }: Block, asking: Asking): Promise<Reading[]> {
    const data = await this.#request(asking, (client) => readers[table](client, address, length));
    if (data.length < length)
      throw new DriverError('bad_answer', deviceSays('values_short', { count: data.length, length }));
    return registers.map((register) => {
      const words = data.slice(register.address - address, register.address - address + width(register));
      return { channel: register.channel, value: isBit(register) ? (words[0] ?? null) : decodeWords(register, words) };
    });
  }

  async #writeCoil({ table, address, channel }: ModbusRegister, value: OutputValue, asking: Asking): Promise<void> {
    if (table !== 'coil') throw new DriverError('unsupported', deviceSays('discrete_input', { channel }));
    const state = percentOf(value) > 0;
    const echo = await this.#request(asking, (client) => client.writeCoil(address, state));
    if (echo.address !== address || echo.state !== state) throw otherWrite();
  }

  async #writeRegister(address: number, value: number, asking: Asking): Promise<void> {
    const echo = await this.#request(asking, (client) => client.writeRegister(address, value));
    if (echo.address !== address || echo.value !== value) throw otherWrite();
  }

  async #writeWords(register: ModbusRegister, value: number, asking: Asking): Promise<void> {
    if (register.table !== 'holding') {
      throw new DriverError('unsupported', deviceSays('input_register', { channel: register.channel }));
    }
    const { address } = register;
    const [first, ...rest] = encode(register, value);
    if (rest.length === 0) return this.#writeRegister(address, first, asking);
    const words = [first, ...rest];
    const echo = await this.#request(asking, (client) => client.writeRegisters(address, words));
    if (echo.address !== address || echo.length !== words.length) throw otherWrite();
  }

  /**
   * A device that acknowledges and does something else has not confirmed. If it cannot be read again, its
   * acknowledgement counts.
   */
  async #compare(register: ModbusRegister, value: OutputValue, asking: Asking): Promise<void> {
    const [block] = planBlocks([register]);
    if (!block) return;
    const [reading] = await this.#readBlock(block, asking).catch(() => []);
    if (reading && !matches(register, value, reading.value)) {
      throw new DriverError('bad_answer', deviceSays('other_number', { value, said: reading.value ?? 'no number' }));
    }
  }
}

/**
 * The answer repeats what was written (Modbus application protocol 1.1b3, 6.5, 6.6, 6.12): a different one confirms
 * nothing.
 */
function otherWrite(): DriverError {
  return new DriverError('bad_answer', deviceSays('other_command'));
}

const readers: Record<Block['table'], (client: ModbusRTU, address: number, length: number) => Promise<number[]>> = {
  holding: async (client, address, length) => (await client.readHoldingRegisters(address, length)).data,
  input: async (client, address, length) => (await client.readInputRegisters(address, length)).data,
  coil: async (client, address, length) => (await client.readCoils(address, length)).data.map(Number),
  discrete: async (client, address, length) => (await client.readDiscreteInputs(address, length)).data.map(Number),
};

function encode(register: ModbusRegister, value: number): [number, ...number[]] {
  try {
    const [first = 0, ...rest] = encodeWords(register, value);
    return [first, ...rest];
  } catch (error) {
    throw new DriverError('refused', messageOf(error), { cause: error });
  }
}

/** Equal as far as the register can hold it: rounding to the raw step is not a difference. */
function matches(register: ModbusRegister, value: OutputValue, held: number | null): boolean {
  const wanted = percentOf(value);
  if (isBit(register)) return held === (wanted > 0 ? 1 : 0);
  return held === decodeWords(register, encodeWords(register, wanted));
}
