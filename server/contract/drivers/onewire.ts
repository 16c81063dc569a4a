import { z } from 'zod';
import { connectionOf } from './connection.ts';
import type { Driver } from './driver.ts';

/**
 * Name of a thermometer in the kernel's driver w1_therm: family code and serial number. Families: 10 DS18S20, 22
 * DS1822, 28 DS18B20, 3b DS1825, 42 DS28EA00 (Linux, Documentation/w1/slaves/w1_therm.rst).
 */
export const onewireSensorId = z
  .string()
  .max(15, { abort: true })
  .regex(/^(10|22|28|3b|42)-[0-9a-f]{12}$/, 'must be as 28-0316a2799b1f, with small letters')
  .meta({ examples: ['28-0316a2799b1f'] });

const onewireOptions = z.strictObject({
  sensor_id: onewireSensorId.describe('Name of the sensor among /sys/bus/w1/devices, as 28-0316a2799b1f'),
});
export type OnewireOptions = z.infer<typeof onewireOptions>;

/** The one bus of this machine. */
export const onewireBus = connectionOf('onewire', '1-Wire');

/** There is one bus, that of this machine, so no place is named. */
const onewireProbe = z.strictObject({});

const onewireProbed = z.strictObject({
  found: z.enum(['answers', 'absent']).describe('absent: this machine has no 1-Wire bus, or Linux does not know of it'),
  sensors: z.array(onewireSensorId).max(1000).describe('Thermometers on the bus, in order of their names'),
});
export type OnewireProbed = z.infer<typeof onewireProbed>;

export const onewire = {
  title: '1-Wire',
  summary: 'A DS18B20 or related thermometer on the 1-Wire bus of this machine, as Linux reads it',
  options: onewireOptions,
  // Twelve bits, as after power-up (DS18B20 data sheet, configuration register).
  input: () => [{ channel: 0, name: 'Temperature', measurement: 'temperature', resolution: 0.0625 }],
  connection: () => onewireBus,
  search: {
    summary: 'List the thermometers on the 1-Wire bus of the machine that controls; changes nothing',
    query: onewireProbe,
    example: {},
    found: onewireProbed,
  },
} satisfies Driver<OnewireOptions>;
