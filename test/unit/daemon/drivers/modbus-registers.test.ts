import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ModbusRegister } from '../../../../server/contract/drivers/modbus.ts';
import { decodeWords, encodeWords, planBlocks } from '../../../../server/daemon/drivers/modbus/registers.ts';

function register(changes: Partial<ModbusRegister> = {}): ModbusRegister {
  return { channel: 0, table: 'holding', address: 0, ...changes };
}

describe('a register', () => {
  it.each<[Partial<ModbusRegister>, number[], number | null]>([
    [{}, [65_535], 65_535],
    [{ type: 'int16' }, [0xff9c], -100],
    [{ type: 'int16', scale: 0.1 }, [235], 23.5],
    [{ type: 'uint16', scale: 0.5, offset: -40 }, [100], 10],
    [{ type: 'uint32' }, [0x0001, 0x0000], 65_536],
    [{ type: 'uint32', word_order: 'little' }, [0x0000, 0x0001], 65_536],
    [{ type: 'int32' }, [0xffff, 0xfffe], -2],
    [{ type: 'float32' }, [0x41ac, 0x0000], 21.5],
    [{ type: 'float32', word_order: 'little' }, [0x0000, 0x41ac], 21.5],
    [{ type: 'float32' }, [0x7fc0, 0x0000], null],
  ])('%j holding %j is %j', (changes, words, value) => {
    expect(decodeWords(register(changes), words)).toBe(value);
    if (value !== null) expect(encodeWords(register(changes), value)).toEqual(words);
  });

  it.each<[Partial<ModbusRegister>, number]>([
    [{}, -1],
    [{}, 65_536],
    [{ type: 'int16' }, 32_768],
    [{ type: 'float32' }, 1e39],
    [{}, NaN],
  ])('%j refuses %j', (changes, value) => {
    expect(() => encodeWords(register(changes), value)).toThrow(RangeError);
  });

  it('gives back every integer of its type, in both word orders', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        fc.constantFrom('big', 'little'),
        (value, order) => {
          const int32 = register({ type: 'int32', word_order: order });
          expect(decodeWords(int32, encodeWords(int32, value))).toBe(value);
        },
      ),
    );
  });
});

describe('blocks', () => {
  it('join neighbours of a table, and nothing across a gap', () => {
    const blocks = planBlocks([
      register({ channel: 3, table: 'coil', address: 1 }),
      register({ channel: 0, address: 10, type: 'float32' }),
      register({ channel: 1, address: 12 }),
      register({ channel: 2, address: 14 }),
      register({ channel: 4, table: 'coil', address: 0 }),
    ]);
    expect(blocks.map(({ table, address, length }) => [table, address, length])).toEqual([
      ['coil', 0, 2],
      ['holding', 10, 3],
      ['holding', 14, 1],
    ]);
  });

  it('read every register once and ask for at most what an answer can carry', () => {
    const registers = fc.array(
      fc.record({
        table: fc.constantFrom('holding' as const, 'input' as const, 'coil' as const),
        address: fc.integer({ min: 0, max: 400 }),
        type: fc.constantFrom('uint16' as const, 'float32' as const),
      }),
      { minLength: 1, maxLength: 256 },
    );
    fc.assert(
      fc.property(registers, (sent) => {
        const blocks = planBlocks(sent.map((one, channel) => register({ ...one, channel })));
        const covered = blocks.flatMap((block) => block.registers.map(({ channel }) => channel));
        expect(covered.toSorted((a, b) => a - b)).toEqual(sent.map((_, channel) => channel));
        for (const block of blocks) {
          expect(block.length).toBeLessThanOrEqual(block.table === 'coil' ? 2000 : 125);
          for (const one of block.registers) {
            expect(one.address).toBeGreaterThanOrEqual(block.address);
            expect(one.address).toBeLessThan(block.address + block.length);
          }
        }
      }),
    );
  });
});
