import { setTimeout as rest } from 'node:timers/promises';
import { deviceSays } from '../../../contract/device-words.ts';
import type { LcdDisplay } from '../../../contract/lcd.ts';
import { Turns } from '../../turns.ts';
import type { Clock } from '../../clock.ts';
import { DriverError, type Device, type DriverModule } from '../driver.ts';
import { i2cWriter, type I2cPlace, type I2cWrite } from './i2c-transfer.ts';
import { beginSteps, lightBytes, lineBytes } from './signals.ts';

const defaultPlace = { bus: 1, address: 39 };
const defaultColumns = 20;
/** Half a flash: how long the light is on, and then off, ms. */
const blinkMs = 500;
const blinkTimeoutMs = 2_000;

export const driver: DriverModule<'hd44780'> = {
  start: ({ clock }) => {
    const turns = new Turns(); // of each bus
    const write = i2cWriter();
    return {
      connect: async ({ options }): Promise<Device> => {
        const { i2c_bus: bus = defaultPlace.bus, i2c_address: address = defaultPlace.address, columns } = options;
        const display = new CharacterDisplay({ bus, address }, columns ?? defaultColumns, write);
        const blink = (): Promise<void> =>
          turns.take(String(bus), () => display.blink(AbortSignal.timeout(blinkTimeoutMs)));
        const blinking = repeated(clock, blink);
        return {
          show: (wanted, signal) => turns.take(String(bus), () => display.show(wanted, signal)),
          close: async () => blinking.end(),
        };
      },
      close: async () => undefined,
    };
  },
};

/**
 * One display: initialises it after every failure, writes the lines that changed, and toggles its light while it
 * flashes.
 */
export class CharacterDisplay {
  readonly #place: I2cPlace;
  readonly #columns: number;
  readonly #write: I2cWrite;
  #shown: readonly string[] | null = null;
  #flashes = false;
  #isLit = false;

  constructor(place: I2cPlace, columns: number, write: I2cWrite) {
    this.#place = place;
    this.#columns = columns;
    this.#write = write;
  }

  /** Throws DriverError; `unsupported` for a colour, which it lacks. */
  async show({ lines, backlight, color, flash }: LcdDisplay, signal: AbortSignal): Promise<void> {
    if (color !== null) throw new DriverError('unsupported', deviceSays('one_colour'));
    const isLit = flash ? this.#isLit : backlight;
    const shown = this.#shown;
    this.#shown = null;
    if (shown === null) await this.#begin(isLit, signal);
    else await this.#write(this.#place, lightBytes(isLit), signal);
    for (const [row, text] of lines.entries()) {
      if (shown?.[row] === text) continue;
      await this.#write(this.#place, lineBytes(row, text, { columns: this.#columns, isLit }), signal);
    }
    [this.#shown, this.#flashes, this.#isLit] = [lines, flash, isLit];
  }

  /** The other half of a flash. A failure is retried at the next change, which initialises the display. */
  async blink(signal: AbortSignal): Promise<void> {
    if (!this.#flashes || this.#shown === null) return;
    this.#isLit = !this.#isLit;
    await this.#write(this.#place, lightBytes(this.#isLit), signal).catch(() => (this.#shown = null));
  }

  async #begin(isLit: boolean, signal: AbortSignal): Promise<void> {
    for (const { bytes, wait_ms } of beginSteps(isLit)) {
      await this.#write(this.#place, bytes, signal);
      await rest(wait_ms);
    }
  }
}

/** Repeats a call, with a pause after the end of each. */
function repeated(clock: Clock, run: () => Promise<void>): { end: () => void } {
  let isEnded = false;
  const wait = () => clock.after(blinkMs, () => void run().finally(() => isEnded || (timer = wait())));
  let timer = wait();
  return {
    end: () => {
      isEnded = true;
      timer.cancel();
    },
  };
}
