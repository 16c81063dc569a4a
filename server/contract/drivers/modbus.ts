import { z } from 'zod';
import { hostName } from '../host-name.ts';
import { channelNumber } from '../identifier.ts';
import { settable } from '../quantity.ts';
import { connectionOf, type Connection } from './connection.ts';
import { dead_man_s, sorted, type Driver, type InputChannelOffer, type OutputChannelOffer } from './driver.ts';
import { ruled, why } from '../refusal-reason.ts';

/** As registered with IANA: mbap. */
export const modbusPort = 502;

const modbusTables = ['holding', 'input', 'coil', 'discrete'] as const;
const modbusTypes = ['int16', 'uint16', 'int32', 'uint32', 'float32'] as const;

const modbusRegister = z.strictObject({
  channel: channelNumber,
  table: z.enum(modbusTables),
  address: z.int().min(0).max(65_535).describe('From 0, as on the wire'),
  type: z
    .enum(modbusTypes)
    .optional()
    .meta({ description: 'How the words are read; coil and discrete are single bits', default: 'uint16' }),
  word_order: z
    .enum(['big', 'little'])
    .optional()
    .meta({ description: 'Which word of two comes first', default: 'big' }),
  scale: settable.optional().meta({ description: 'value = raw * scale + offset, -1e15 to 1e15, not 0', default: 1 }),
  offset: settable.optional().meta({ description: 'Added after scaling, -1e15 to 1e15', default: 0 }),
  readback: z.boolean().optional().meta({ description: 'Of an output: read again after a write', default: true }),
});
export type ModbusRegister = z.infer<typeof modbusRegister>;

/**
 * The dead-man timer of a unit, also called communication or fail-safe watchdog: each write to its register restarts
 * it.
 */
const modbusDeadMan = z.strictObject({
  address: z.int().min(0).max(65_535).describe('Holding register that is written to, from 0, as on the wire'),
  dead_man_s,
  feed_value: z
    .int()
    .min(0)
    .max(65_535)
    .optional()
    .describe('What is written; without it 1 and 2 in turn, for timers that wait for a change'),
});

export const modbusOptions = z.strictObject({
  host: hostName.describe('Host name or address'),
  port: z.int().min(1).max(65_535).optional().meta({ description: 'TCP port', default: modbusPort }),
  unit_id: z.int().min(0).max(255).optional().meta({ description: 'Address of the unit behind the host', default: 1 }),
  timeout_ms: z.int().min(50).max(60_000).optional().meta({
    description:
      'Longest wait for an answer; at most a quarter of the shortest dead-man time on the same host and port',
    unit: 'ms',
    default: 1000,
  }),
  dead_man: modbusDeadMan.optional().describe('Of an output whose unit falls safe by itself when it is not fed'),
  registers: z
    .array(modbusRegister)
    .min(1)
    .max(256)
    .refine((list) => new Set(list.map((one) => one.channel)).size === list.length, ruled(why('entry_each_channel')))
    .refine((list) => list.every((one) => one.scale !== 0), ruled(why('scale_zero'))),
});
export type ModbusOptions = z.infer<typeof modbusOptions>;

const { host, port, unit_id } = modbusOptions.shape;
/** Where a Modbus unit may be. */
export const modbusProbe = z.strictObject({
  host,
  port,
  unit_id: unit_id.unwrap().describe('Address of the unit behind the host, 0 to 255'),
});
export type ModbusProbe = z.infer<typeof modbusProbe>;

const modbusProbed = z.strictObject({
  unit_id: modbusProbe.shape.unit_id,
  found: z
    .enum(['answers', 'silent', 'unreachable'])
    .describe('answers: something is there, even where it refused; unreachable: no Modbus server at this address'),
  message: z.string().describe('What it said, or why it said nothing'),
});
export type ModbusProbed = z.infer<typeof modbusProbed>;

/** One channel for each register. The wiring does not say what it measures: by default a bare number. */
function modbusInputChannels(options: ModbusOptions): InputChannelOffer[] {
  return sorted(options.registers).map((register) => {
    const { channel } = register;
    const resolution = stepOf(register);
    return { channel, name: `Channel ${channel}`, measurement: 'unitless', ...(resolution && { resolution }) };
  });
}

/**
 * A register of whole numbers moves by its scale; a bit and a floating-point number do not say how finely they measure.
 */
function stepOf({ table, type, scale = 1 }: ModbusRegister): number | undefined {
  const isWhole = (table === 'holding' || table === 'input') && type !== 'float32';
  return isWhole ? Math.abs(scale) : undefined;
}

/**
 * One channel for each register: a coil is a switch, a holding register a dimmer; the read-only tables drive nothing.
 */
function modbusOutputChannels(options: ModbusOptions): OutputChannelOffer[] {
  return sorted(options.registers).flatMap(({ channel, table }) => {
    if (table !== 'coil' && table !== 'holding') return [];
    return [{ channel, name: `Channel ${channel}`, kind: table === 'coil' ? 'switch' : 'dimmer' } as const];
  });
}

export function modbusConnection({ host, port = modbusPort }: Pick<ModbusOptions, 'host' | 'port'>): Connection {
  return connectionOf('modbus', `${host}:${port}`);
}

export const modbus = {
  title: 'Modbus TCP',
  summary: 'Registers and coils of a Modbus TCP device or gateway, described by a register map',
  options: modbusOptions,
  input: modbusInputChannels,
  output: modbusOutputChannels,
  connection: modbusConnection,
  search: {
    summary: 'Ask whether a Modbus unit is there, by reading one holding register; changes nothing',
    query: modbusProbe,
    example: { host: '192.168.1.40', unit_id: 1 },
    found: modbusProbed,
  },
} satisfies Driver<ModbusOptions>;
