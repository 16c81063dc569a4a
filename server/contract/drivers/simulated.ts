import { z } from 'zod';
import { uuid } from '../identifier.ts';
import type { OutputChannel } from '../output.ts';
import type { MeasurementName } from '../units.ts';
import { dead_man_s, type Driver, type InputChannelOffer, type OutputChannelOffer } from './driver.ts';
import { standingCrop } from '../standing-crop.ts';
import { weatherFileName } from '../weather-file.ts';

/** Parts of a simulated house; sensor and switch stand alone. */
export const simulatedParts = [
  'indoor',
  'weather',
  'heater',
  'fan',
  'side_vent',
  'roof_vent',
  'co2',
  'lighting',
  'shade',
  'screen',
  'fogger',
  'valve',
  'sensor',
  'switch',
] as const;
export const simulatedPart = z.enum(simulatedParts);
export type SimulatedPart = z.infer<typeof simulatedPart>;

const noiseSeed = z.int().min(1).max(2_147_483_646);

/** A fault of a simulated device, on which checks and alarms can be tried. */
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

const standsAlone = (part: SimulatedPart | undefined) => part === undefined || part === 'sensor' || part === 'switch';

/** Without options an input is a simulated sensor and an output a simulated switch, each on its own. */
export const simulatedOptions = z
  .strictObject({
    house: uuid.optional().describe('The simulated house that the device belongs to; devices of one house share it'),
    part: simulatedPart.optional().describe('What the device is in its house'),
    facility: uuid.optional().meta({
      description:
        'The drawn house that is simulated, as its geometry, covering and bound equipment are; a house of 8 by 50 m when absent',
    }),
    speed: z
      .number()
      .min(1)
      .max(600)
      .optional()
      .meta({ description: 'How many times faster than real the model and its weather run, 1 to 600', default: 1 }),
    lat: z.number().min(-90).max(90).optional().meta({ description: 'Latitude of the weather', unit: 'deg' }),
    lng: z.number().min(-180).max(180).optional().meta({ description: 'Longitude of the weather', unit: 'deg' }),
    weather_file: weatherFileName
      .optional()
      .describe(
        'A year of hourly weather in place of the made one: the name of an EPW or CSV file in the folder "weather" of the data directory',
      ),
    motor_s: z.number().min(2).max(3600).optional().meta({
      description: 'A vent or shade is moved by a motor with two relays that takes so long from end to end',
      unit: 's',
    }),
    crop: standingCrop
      .optional()
      .meta({ description: 'What stands in the house: none, young or full', default: 'young' }),
    dead_man_s: dead_man_s.optional(),
    fault: simulatedFault.optional(),
    noise_seed: noiseSeed
      .optional()
      .describe('Of a sensor: adds the noise of a common one, the same for the same seed; none when absent'),
  })
  .refine((sent) => standsAlone(sent.part) === (sent.house === undefined), {
    path: ['house'],
    message: 'is needed by a part of a house; a sensor or switch on its own has none',
  })
  .refine(({ facility, house }) => facility === undefined || house !== undefined, {
    path: ['facility'],
    message: 'is for a part of a house',
  })
  .refine(({ motor_s, part = 'switch' }) => motor_s === undefined || simulatedActuators[part] === 'dimmer', {
    path: ['motor_s'],
    message: 'is for parts that take a position: side_vent, roof_vent, shade, screen',
  });
export type SimulatedOptions = z.infer<typeof simulatedOptions>;

/** The measurements of each simulated sensor, by part, in the order of its channels. */
export const simulatedMeasurements: Partial<Record<SimulatedPart, readonly MeasurementName[]>> = {
  indoor: ['temperature', 'humidity', 'co2', 'light'],
  weather: ['temperature', 'humidity', 'wind_speed', 'wind_direction', 'radiation', 'rain'],
  sensor: ['temperature'],
};

/** The kind of each simulated actuator, by part; each has one channel, or with `motor_s` two relays. */
export const simulatedActuators: Partial<Record<SimulatedPart, OutputChannel['kind']>> = {
  heater: 'switch',
  fan: 'switch',
  side_vent: 'dimmer',
  roof_vent: 'dimmer',
  co2: 'switch',
  lighting: 'switch',
  shade: 'dimmer',
  screen: 'dimmer',
  fogger: 'switch',
  valve: 'switch',
  switch: 'switch',
};

/** Channels of a simulated input; none for an actuator's part. */
function simulatedInputChannels(options: SimulatedOptions): InputChannelOffer[] {
  const measurements = simulatedMeasurements[options.part ?? 'sensor'] ?? [];
  return measurements.map((measurement, channel) => ({ channel, name: titleOf(measurement), measurement }));
}

/** Channels of a simulated output; none for a sensor's part. */
function simulatedOutputChannels(options: SimulatedOptions): OutputChannelOffer[] {
  const part = options.part ?? 'switch';
  const kind = simulatedActuators[part];
  if (kind === undefined) return [];
  if (options.motor_s === undefined) return [{ channel: 0, name: titleOf(part), kind }];
  return [
    { channel: 0, name: `${titleOf(part)} open`, kind: 'switch' },
    { channel: 1, name: `${titleOf(part)} close`, kind: 'switch' },
  ];
}

const shownOtherwise: Record<string, string> = { co2: 'CO2', ph: 'pH', ec: 'EC' };

function titleOf(word: string): string {
  return shownOtherwise[word] ?? word.charAt(0).toUpperCase() + word.slice(1).replaceAll('_', ' ');
}

export const simulated = {
  title: 'Simulated',
  summary: 'Sensors and actuators of a greenhouse that exists only as a model',
  options: simulatedOptions,
  input: simulatedInputChannels,
  output: simulatedOutputChannels,
} satisfies Driver<SimulatedOptions>;
