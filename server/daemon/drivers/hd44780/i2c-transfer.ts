import { execFile } from 'node:child_process';
import { deviceSays } from '../../../contract/device-words.ts';
import { DriverError } from '../driver.ts';

/** The address of a device. */
export interface I2cPlace {
  bus: number;
  address: number;
}

/** Writes bytes to a device on an I2C bus. Throws DriverError. */
export type I2cWrite = (place: I2cPlace, bytes: readonly number[], signal: AbortSignal) => Promise<void>;

/** Writes by `i2ctransfer` of i2c-tools, without a shell. */
export function i2cWriter(program = 'i2ctransfer'): I2cWrite {
  return ({ bus, address }, bytes, signal) => {
    const data = bytes.map((one) => `0x${one.toString(16).padStart(2, '0')}`);
    const given = ['-y', String(bus), `w${bytes.length}@0x${address.toString(16)}`, ...data];
    return new Promise((resolve, reject) => {
      execFile(program, given, { signal, maxBuffer: 16_384 }, (error, _said, complaint) => {
        if (error === null) resolve();
        else reject(failureOf(error, complaint.trim()));
      });
    });
  };
}

function failureOf(error: Error & { code?: string | number | null | undefined }, complaint: string): DriverError {
  const options = { cause: error };
  if (error.name === 'AbortError') return new DriverError('timed_out', deviceSays('bus_silent'), options);
  if (error.code === 'ENOENT') return new DriverError('unreachable', deviceSays('i2c_missing'), options);
  return new DriverError('unreachable', complaint.slice(0, 200) || error.message, options);
}
