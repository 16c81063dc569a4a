import { z } from 'zod';
import { hostName } from './host-name.ts';
import { uuid } from './identifier.ts';
import { channelNumber } from './output.ts';
import { settable } from './quantity.ts';

/** Parts of a simulated house; sensor and switch stand alone. */
const simulatedParts = [
  'indoor',
  'weather',
  'heater',
  'fan',
  'side_vent',
  'roof_vent',
  'co2',
  'lighting',
  'shade',
  'fogger',
  'valve',
  'sensor',
  'switch',
] as const;
const simulatedPart = z.enum(simulatedParts);
export type SimulatedPart = z.infer<typeof simulatedPart>;

const noiseSeed = z.int().min(1).max(2_147_483_646);

/** What is wrong with a simulated device, so that checks and alarms can be tried on it. */
const simulatedFault = z.discriminatedUnion('kind', [
  z
    .strictObject({
      kind: z.literal('stuck'),
      sd: z
        .number()
        .min(0)
        .max(10_000)
        .optional()
        .describe('Standard deviation of the noise that remains; none when absent'),
      seed: noiseSeed.optional().describe('The same noise for the same seed'),
    })
    .describe('A sensor that goes on saying what it said first'),
  z.strictObject({
    kind: z.literal('offset'),
    by: z.number().min(-10_000).max(10_000).describe('Added to every reading, in its unit'),
  }),
  z.strictObject({
    kind: z.literal('gain'),
    factor: z.number().min(-10).max(10).describe('Every reading is multiplied by it'),
  }),
  z.strictObject({
    kind: z.literal('drift'),
    per_h: z
      .number()
      .min(-10_000)
      .max(10_000)
      .describe('Added to the readings for each hour since the first, in its unit'),
  }),
  z.strictObject({
    kind: z.literal('noisy'),
    sd: z.number().min(0).max(10_000).describe('Standard deviation of the noise, in the unit of each reading'),
    seed: noiseSeed.optional().describe('The same noise for the same seed'),
  }),
  z
    .strictObject({
      kind: z.literal('slow'),
      lag_s: z
        .number()
        .gt(0)
        .max(3600)
        .describe('Time constant of a sensor, time from end to end of an actuator, in s'),
    })
    .describe('A sensor that follows late, an actuator that travels slowly'),
  z.strictObject({ kind: z.literal('silent') }).describe('Never answers'),
  z.strictObject({ kind: z.literal('no_effect') }).describe('An actuator that confirms and does not move'),
  z
    .strictObject({
      kind: z.literal('weak'),
      share: z.number().min(0).max(1).describe('Share of its output that an actuator still has'),
    })
    .describe('An actuator that does less than it is rated for'),
  z
    .strictObject({ kind: z.literal('latched') })
    .describe('An actuator that confirms and never goes off once it was on'),
  z.strictObject({ kind: z.literal('reversed') }).describe('An actuator that is on while it should be off'),
  z.strictObject({ kind: z.literal('refuses') }).describe('An actuator that refuses every command'),
  z
    .strictObject({ kind: z.literal('wired_to'), part: simulatedPart, house: uuid.optional() })
    .describe('An actuator that moves another part, a sensor that hangs elsewhere; in another house when one is named'),
]);
export type SimulatedFault = z.infer<typeof simulatedFault>;

const dead_man_s = z
  .number()
  .min(1)
  .max(3_600)
  .describe('A device that is not fed for so long falls to its safe state by itself, in s');

const standsAlone = (part: SimulatedPart | undefined) => part === undefined || part === 'sensor' || part === 'switch';

/** Without options an input is a simulated sensor and an output a simulated switch, each on its own. */
export const simulatedOptions = z
  .strictObject({
    house: uuid.optional().describe('The simulated house that the device belongs to; devices of one house share it'),
    part: simulatedPart.optional().describe('What the device is in its house'),
    speed: z
      .number()
      .min(1)
      .max(600)
      .optional()
      .meta({ description: 'How many times faster than real the model and its weather run, 1 to 600', default: 1 }),
    lat: z.number().min(-90).max(90).optional().meta({ description: 'Latitude of the weather', unit: 'deg' }),
    lng: z.number().min(-180).max(180).optional().meta({ description: 'Longitude of the weather', unit: 'deg' }),
    weather_file: z
      .string()
      .max(100, { abort: true })
      .regex(
        /^[A-Za-z0-9][A-Za-z0-9._-]*\.(epw|EPW|csv|CSV)$/,
        'must be the name of an .epw or .csv file, without a path',
      )
      .optional()
      .describe(
        'A year of hourly weather in place of the made one: the name of an EPW or CSV file in the folder "weather" of the data directory',
      ),
    dead_man_s: dead_man_s.optional(),
    fault: simulatedFault.optional(),
    noise_seed: noiseSeed
      .optional()
      .describe('Of a sensor: adds the noise of a common one, the same for the same seed; none when absent'),
  })
  .refine((sent) => standsAlone(sent.part) === (sent.house === undefined), {
    path: ['house'],
    message: 'is needed by a part of a house; a sensor or switch on its own has none',
  });
export type SimulatedOptions = z.infer<typeof simulatedOptions>;

const modbusTables = ['holding', 'input', 'coil', 'discrete'] as const;
const modbusTypes = ['int16', 'uint16', 'int32', 'uint32', 'float32'] as const;

export const modbusRegister = z.strictObject({
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

/** The dead-man timer of a unit, also called communication or fail-safe watchdog: each write to its register sets it going anew. */
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
  port: z.int().min(1).max(65_535).optional().meta({ description: 'TCP port', default: 502 }),
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
    .refine(
      (list) => new Set(list.map((one) => one.channel)).size === list.length,
      'must have one register for each channel',
    )
    .refine((list) => list.every((one) => one.scale !== 0), 'must have no scale of 0'),
});
export type ModbusOptions = z.infer<typeof modbusOptions>;

export const lcdLine = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('text'), text: z.string().max(80) }),
  z.strictObject({ kind: z.literal('time') }),
  z.strictObject({ kind: z.literal('measurement'), device_id: uuid, measurement_id: uuid, label: z.string().max(40) }),
]);

export type LcdLine = z.infer<typeof lcdLine>;

/** A display on the screen; its line sets take turns. */
export const virtualLcdOptions = z.strictObject({
  columns: z.int().min(8).max(80).optional().meta({ description: 'Characters of a line', default: 20 }),
  rows: z.int().min(1).max(20).optional().meta({ description: 'Lines of the display', default: 4 }),
  line_set_s: z
    .number()
    .min(1)
    .max(3_600)
    .optional()
    .meta({ description: 'How long each line set is shown', unit: 's', default: 10 }),
  max_age_s: z
    .number()
    .min(1)
    .max(604_800)
    .optional()
    .meta({ description: 'A value older than this is shown as --', unit: 's', default: 600 }),
  line_sets: z
    .array(z.array(lcdLine).min(1).max(20))
    .max(20)
    .optional()
    .describe('What is shown, one set after the other'),
});
export type VirtualLcdOptions = z.infer<typeof virtualLcdOptions>;
