import { z } from 'zod';
import type { Driver } from './driver.ts';
import { displayOptions } from './virtual.ts';

/** A character display behind the usual port expander; its bus as Linux numbers it. */
const hd44780Options = displayOptions.extend({
  columns: z.int().min(8).max(40).optional().meta({ description: 'Characters of a line', default: 20 }),
  rows: z.int().min(1).max(4).optional().meta({ description: 'Lines of the display', default: 4 }),
  i2c_bus: z.int().min(0).max(63).optional().meta({ description: 'Number of the bus, as in /dev/i2c-1', default: 1 }),
  i2c_address: z
    .int()
    .min(8)
    .max(119)
    .optional()
    .meta({ description: 'Address of the display, decimal: 39 is 0x27, 63 is 0x3f', default: 39 }),
});
type Hd44780Options = z.infer<typeof hd44780Options>;

export const hd44780 = {
  title: 'HD44780 over I2C',
  summary: 'A character display with a PCF8574 port expander, by the i2c-tools of this machine; not tried on hardware',
  options: hd44780Options,
  isDisplay: true,
} satisfies Driver<Hd44780Options>;
