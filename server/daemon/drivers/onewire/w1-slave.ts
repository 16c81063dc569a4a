import { deviceSays } from '../../../contract/device-words.ts';
import { type Reading, DriverError } from '../driver.ts';

/**
 * What a DS18B20 holds after power-on until it has measured (Maxim DS18B20 datasheet, table 1), and therefore after a
 * brown-out.
 */
const powerOnMillidegrees = 85_000;
/** Range of the sensors, C (same datasheet). */
const range_c = { from: -55, to: 125 };

/**
 * The temperature in a file w1_slave of the kernel's driver w1_therm: nine bytes with `crc=.. YES`, then `t=` in
 * thousandths of a degree. Throws DriverError `bad_answer` when the checksum is wrong, the line is shorted (all bytes
 * 0, whose checksum is right), or the temperature is outside the sensor's range.
 */
export function readingOf(text: string): Reading {
  const [bytes = '', check] = /^((?:[0-9a-f]{2} ){9}): crc=[0-9a-f]{2} (YES|NO)/.exec(text)?.slice(1) ?? [];
  if (check !== 'YES') throw new DriverError('bad_answer', deviceSays('checksum'));
  if (/^[0 ]+$/.test(bytes)) throw new DriverError('bad_answer', deviceSays('line_shorted'));
  const millidegrees = Number(/\bt=(-?\d{1,6})\s*$/.exec(text)?.[1] ?? NaN);
  const value = millidegrees / 1000;
  if (!(value >= range_c.from && value <= range_c.to)) {
    throw new DriverError('bad_answer', deviceSays('no_temperature'));
  }
  return millidegrees === powerOnMillidegrees ? { channel: 0, value, quality: 'suspect' } : { channel: 0, value };
}
