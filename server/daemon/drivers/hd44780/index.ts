import { setTimeout as rest } from 'node:timers/promises';
import type { LcdDisplay } from '../../../contract/lcd.ts';
import { Turns } from '../../turns.ts';
import { DriverError, type Device, type DriverModule } from '../driver.ts';
import { i2cWriter, type I2cPlace, type I2cWrite } from './i2c-transfer.ts';
import { beginSteps, lightBytes, lineBytes } from './signals.ts';

const defaultPlace = { bus: 1, address: 39 };
const defaultColumns = 20;

export const driver: DriverModule<'hd44780'> = {
  start: () => {
    const turns = new Turns(); // of each bus
    const write = i2cWriter();
    return {
      connect: async ({ options }): Promise<Device> => {
        const { i2c_bus: bus = defaultPlace.bus, i2c_address: address = defaultPlace.address, columns } = options;
        const display = new CharacterDisplay({ bus, address }, columns ?? defaultColumns, write);
        return {
          show: (wanted, signal) => turns.take(String(bus), () => display.show(wanted, signal)),
          close: async () => undefined, // nothing is held between two transfers
        };
      },
      close: async () => undefined,
    };
  },
};

/** One display: begins it anew after every failure, and writes the lines that have changed. */
export class CharacterDisplay {
  readonly #place: I2cPlace;
  readonly #columns: number;
  readonly #write: I2cWrite;
  #shown: readonly string[] | null = null;

  constructor(place: I2cPlace, columns: number, write: I2cWrite) {
    this.#place = place;
    this.#columns = columns;
    this.#write = write;
  }

  /** Throws DriverError; `unsupported` for what it has not: a colour, and blinking by itself. */
  async show({ lines, backlight: isLit, color, flash }: LcdDisplay, signal: AbortSignal): Promise<void> {
    if (color !== null) throw new DriverError('unsupported', 'its light has one colour');
    if (flash) throw new DriverError('unsupported', 'its light cannot blink');
    const shown = this.#shown;
    this.#shown = null;
    if (shown === null) await this.#begin(isLit, signal);
    else await this.#write(this.#place, lightBytes(isLit), signal);
    for (const [row, text] of lines.entries()) {
      if (shown?.[row] === text) continue;
      await this.#write(this.#place, lineBytes(row, text, { columns: this.#columns, isLit }), signal);
    }
    this.#shown = lines;
  }

  async #begin(isLit: boolean, signal: AbortSignal): Promise<void> {
    for (const { bytes, wait_ms } of beginSteps(isLit)) {
      await this.#write(this.#place, bytes, signal);
      await rest(wait_ms);
    }
  }
}
