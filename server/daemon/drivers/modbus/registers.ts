import type { ModbusRegister } from '../../../contract/drivers/modbus.ts';
import type { OutputValue } from '../driver.ts';

type Table = ModbusRegister['table'];
type RegisterType = NonNullable<ModbusRegister['type']>;

/**
 * The most that is read by one request; an answer holds 125 registers or 2000 coils (Modbus application protocol 1.1b3,
 * sections 6.3 and 6.1).
 */
const mostWords = 120;
const mostBits = 1960;

interface WordCodec {
  words: 1 | 2;
  least: number;
  most: number;
  read(view: DataView): number;
  write(view: DataView, value: number): void;
}

const codecs: Record<RegisterType, WordCodec> = {
  int16: { words: 1, least: -0x8000, most: 0x7fff, read: (v) => v.getInt16(0), write: (v, n) => v.setInt16(0, n) },
  uint16: { words: 1, least: 0, most: 0xffff, read: (v) => v.getUint16(0), write: (v, n) => v.setUint16(0, n) },
  int32: {
    words: 2,
    least: -(2 ** 31),
    most: 2 ** 31 - 1,
    read: (v) => v.getInt32(0),
    write: (v, n) => v.setInt32(0, n),
  },
  uint32: { words: 2, least: 0, most: 2 ** 32 - 1, read: (v) => v.getUint32(0), write: (v, n) => v.setUint32(0, n) },
  float32: {
    words: 2,
    least: -3.4028234663852886e38,
    most: 3.4028234663852886e38,
    read: (v) => v.getFloat32(0),
    write: (v, n) => v.setFloat32(0, n),
  },
};

export function isBit({ table }: ModbusRegister): boolean {
  return table === 'coil' || table === 'discrete';
}

function codecOf({ type }: ModbusRegister): WordCodec {
  return codecs[type ?? 'uint16'];
}

/** Addresses that a register occupies: one bit, one word or two. */
export function width(register: ModbusRegister): number {
  return isBit(register) ? 1 : codecOf(register).words;
}

function ordered(words: readonly number[], register: ModbusRegister): readonly number[] {
  return register.word_order === 'little' ? words.toReversed() : words;
}

/** The value of a register in the channel's unit, from its one or two words; null when a float is not a number. */
export function decodeWords(register: ModbusRegister, words: readonly number[]): number | null {
  const view = new DataView(new ArrayBuffer(4));
  ordered(words, register).forEach((word, at) => view.setUint16(2 * at, word));
  const raw = codecOf(register).read(view);
  return Number.isFinite(raw) ? raw * (register.scale ?? 1) + (register.offset ?? 0) : null;
}

/** The words for a value in the channel's unit. Throws RangeError when it does not fit. */
export function encodeWords(register: ModbusRegister, value: number): number[] {
  const codec = codecOf(register);
  const scaled = (value - (register.offset ?? 0)) / (register.scale ?? 1);
  const raw = register.type === 'float32' ? scaled : Math.round(scaled);
  if (!(raw >= codec.least && raw <= codec.most)) {
    throw new RangeError(`${value} does not fit a register of type ${register.type ?? 'uint16'}`);
  }
  const view = new DataView(new ArrayBuffer(4));
  codec.write(view, raw);
  const words = Array.from({ length: codec.words }, (_, at) => view.getUint16(2 * at));
  return [...ordered(words, register)];
}

/** A register has no on and off of its own: they are the ends of 0..100 %. */
export function percentOf(value: OutputValue): number {
  if (value === 'on') return 100;
  return value === 'off' ? 0 : value;
}

/**
 * Registers that one request can read: adjacent without a gap, as many devices refuse an address that they do not have.
 */
export interface Block {
  table: Table;
  address: number;
  length: number;
  registers: ModbusRegister[];
}

/** The fewest requests that read all registers. */
export function planBlocks(registers: readonly ModbusRegister[]): Block[] {
  const sorted = registers.toSorted((a, b) => a.table.localeCompare(b.table) || a.address - b.address);
  const blocks: Block[] = [];
  for (const register of sorted) {
    const block = blocks.at(-1);
    const end = register.address + width(register);
    if (block && joins(block, register)) {
      block.registers.push(register);
      block.length = Math.max(block.length, end - block.address);
    } else
      blocks.push({
        table: register.table,
        address: register.address,
        length: end - register.address,
        registers: [register],
      });
  }
  return blocks;
}

function joins(block: Block, register: ModbusRegister): boolean {
  const most = isBit(register) ? mostBits : mostWords;
  return (
    block.table === register.table &&
    register.address <= block.address + block.length &&
    register.address + width(register) - block.address <= most
  );
}
