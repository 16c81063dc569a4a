import { deviceSays } from '../../../contract/device-words.ts';
import type { ControllerStatus } from '../../../contract/daemon.ts';
import { shownOptions } from '../../../contract/drivers/virtual.ts';
import type { Lcd, LcdDisplay } from '../../../contract/lcd.ts';
import { messageOf } from '../../../contract/message-of.ts';
import { within, type Clock } from '../../clock.ts';
import { DriverError, type Device } from '../../drivers/driver.ts';
import { Grid } from '../../grid.ts';
import type { LiveValues } from '../../events/live-values.ts';
import type { Watchdog, Watched } from '../../alarms/watchdog.ts';
import type { Controller } from '../controller.ts';
import { DeviceLink } from '../device-link.ts';
import { lcdLines } from './lcd-lines.ts';

const refreshMs = 1_000;
const showTimeoutMs = 4_000;
const stalled_s = 60;
const defaultSize = { columns: 20, rows: 4 };
const defaultSet_s = 10;
const defaultMaxAge_s = 600;

export interface LcdHost {
  clock: Clock;
  live: LiveValues;
  /** IANA time zone of the site. */
  timeZone: () => string;
  connect: (lcd: Lcd, signal: AbortSignal) => Promise<Device>;
  shown: (display: LcdDisplay) => void;
  watchdog: Pick<Watchdog, 'watch'>;
  statusChanged: (status: ControllerStatus) => void;
}

const freshLight = { backlight: true, flash: false, color: null } satisfies Partial<LcdDisplay>;

/** A running display: its line sets alternate, and it is written to when its content changes. */
export class LcdController implements Controller {
  #lcd: Lcd;
  readonly #host: LcdHost;
  #link: DeviceLink;
  #grid: Grid;
  #watched: Watched | undefined;
  #light: Pick<LcdDisplay, 'backlight' | 'flash' | 'color'> = freshLight;
  /** When the first line set was first shown, elapsed ms. */
  #origin: number;
  #shown: LcdDisplay | null = null;
  #failure: string | null = null;

  constructor(lcd: Lcd, host: LcdHost) {
    this.#lcd = lcd;
    this.#host = host;
    this.#origin = host.clock.elapsed();
    this.#link = this.#newLink();
    this.#grid = this.#newGrid();
  }

  get id(): string {
    return this.#lcd.unique_id;
  }

  /** What the display last took; null before the first write. */
  get display(): LcdDisplay | null {
    return this.#shown;
  }

  start(): void {
    void this.#link.open();
    this.#grid.start();
    this.#watched = this.#host.watchdog.watch({
      source_kind: 'controller',
      source_id: this.id,
      source_name: this.#lcd.name,
      limit_s: stalled_s,
      outputs: [],
      beginAnew: () => void this.#beginAnew(),
    });
  }

  async stop(): Promise<void> {
    this.#watched?.end();
    this.#watched = undefined;
    await this.#link.close();
    await this.#grid.stop();
  }

  status(): ControllerStatus {
    const state = this.#failure === null ? 'running' : 'failed';
    return { controller_id: this.id, controller_type: 'LCD', state, reason: this.#failure };
  }

  async reconfigure(lcd: Lcd): Promise<void> {
    const isRewired = lcd.driver !== this.#lcd.driver;
    this.#lcd = lcd;
    if (isRewired) await this.#reconnect();
  }

  /** Resolves when the display took it. Throws DriverError. */
  async light(change: Partial<Pick<LcdDisplay, 'backlight' | 'flash' | 'color'>>): Promise<void> {
    const before = this.#light;
    this.#light = { ...before, ...change };
    try {
      await this.#show();
    } catch (error) {
      // What the display lacks is not retried every second.
      if (error instanceof DriverError && error.code === 'unsupported') this.#light = before;
      throw error;
    }
  }

  /** Starts afresh; resolves when the display took it. Throws DriverError. */
  async reset(): Promise<void> {
    this.#light = freshLight;
    this.#origin = this.#host.clock.elapsed();
    this.#shown = null;
    await this.#reconnect();
    await this.#show();
  }

  /** Does not wait for calls that hang. */
  async #beginAnew(): Promise<void> {
    void this.#grid.stop();
    this.#grid = this.#newGrid();
    await this.#reconnect();
    if (this.#watched === undefined) return this.#link.close(); // it was stopped meanwhile
    this.#grid.start();
  }

  #newGrid(): Grid {
    const { clock } = this.#host;
    const ticked = (): void => this.#watched?.beat();
    return new Grid({ clock, periodMs: refreshMs, tick: () => this.#tick(), ticked });
  }

  async #reconnect(): Promise<void> {
    await this.#link.close();
    this.#link = this.#newLink();
    await this.#link.open();
  }

  #newLink(): DeviceLink {
    return new DeviceLink({
      clock: this.#host.clock,
      connect: (signal) => this.#host.connect(this.#lcd, signal),
      changed: (failure) => this.#report(failure),
    });
  }

  async #tick(): Promise<void> {
    if (!this.#link.isConnected) return;
    try {
      await this.#show();
      this.#report(null);
    } catch (error) {
      this.#shown = null;
      this.#report(messageOf(error));
    }
  }

  async #show(): Promise<void> {
    const display = this.#wanted();
    if (JSON.stringify(display) === JSON.stringify(this.#shown)) return;
    const { device } = this.#link;
    if (device.show === undefined) throw new DriverError('unsupported', deviceSays('shows_nothing'));
    const { clock, shown } = this.#host;
    const signal = AbortSignal.timeout(showTimeoutMs);
    const late = (): never => {
      throw new DriverError('timed_out', deviceSays('display_silent'));
    };
    await within(device.show(display, signal), { clock, timeoutMs: showTimeoutMs, late });
    this.#shown = display;
    shown(display);
  }

  #wanted(): LcdDisplay {
    const { clock, live, timeZone } = this.#host;
    const options = shownOptions.parse(this.#lcd.options);
    const { columns = defaultSize.columns, rows = defaultSize.rows, line_sets = [] } = options;
    const turns = Math.floor((clock.elapsed() - this.#origin) / ((options.line_set_s ?? defaultSet_s) * 1000));
    const line_set = line_sets.length === 0 ? 0 : turns % line_sets.length;
    const maxAge_s = options.max_age_s ?? defaultMaxAge_s;
    const last = (device: string, measurement: string) => live.last(device, measurement, maxAge_s);
    const sources = { nowMs: clock.now(), timeZone: timeZone(), last };
    const lines = lcdLines(line_sets[line_set] ?? [], { columns, rows }, sources);
    return { lcd_id: this.id, lines, line_set, ...this.#light };
  }

  #report(failure: string | null): void {
    if (failure === this.#failure) return;
    this.#failure = failure;
    this.#host.statusChanged(this.status());
  }
}
