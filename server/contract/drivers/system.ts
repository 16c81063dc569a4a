import { z } from 'zod';
import type { Driver, InputChannelOffer } from './driver.ts';

const systemOptions = z.strictObject({
  thermal_zone: z
    .int()
    .min(0)
    .max(99)
    .optional()
    .describe('Number of the thermometer among /sys/class/thermal, 0 to 99; that of the processor when absent'),
});
export type SystemOptions = z.infer<typeof systemOptions>;

/** Readings of this machine, by channel. */
const systemChannels = [
  { channel: 0, name: 'CPU temperature', measurement: 'temperature' },
  { channel: 1, name: 'CPU load, %', measurement: 'unitless' },
  { channel: 2, name: 'Memory used, %', measurement: 'unitless' },
  { channel: 3, name: 'Disk used, %', measurement: 'unitless' },
] as const satisfies readonly InputChannelOffer[];

export const system = {
  title: 'This machine',
  summary: 'Processor temperature and load, memory and disk of the machine that controls, as Linux tells them',
  options: systemOptions,
  input: () => [...systemChannels],
} satisfies Driver<SystemOptions>;
