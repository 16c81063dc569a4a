import { randomUUID } from 'node:crypto';
import { shownOptions, type LcdLine } from '../../contract/drivers/virtual.ts';
import { refuseChanged, refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { lcd, type Lcd, type LcdCreate, type LcdPatch, type LiveLcd } from '../../contract/lcd.ts';
import type { LcdRepository } from '../../db/repositories/lcd.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import { checkDriver } from './driver-channels.ts';
import { mergedOptions } from './patch.ts';
import { SettingsService, type SettingsOptions, type SettingsRules } from './settings.ts';
import type { LiveCache } from '../live/live.ts';

interface LcdOptions extends SettingsOptions {
  lcds: LcdRepository;
  measured: Pick<MeasuredDevices, 'get'>;
  live: Pick<LiveCache, 'lcd'>;
}

/** The settings of displays, with what they show. */
export class LcdService extends SettingsService<Lcd, LcdCreate, LcdPatch> {
  readonly #live: Pick<LiveCache, 'lcd'>;

  constructor(options: LcdOptions) {
    super(lcdRules(options), options);
    this.#live = options.live;
  }

  listLive(): LiveLcd[] {
    return this.list().map((one) => this.#withDisplay(one));
  }

  /** Throws `not_found`. */
  getLive(id: string): LiveLcd {
    return this.#withDisplay(this.get(id));
  }

  #withDisplay(one: Lcd): LiveLcd {
    return { ...one, display: this.#live.lcd(one.unique_id) };
  }
}

function lcdRules({ lcds, measured }: LcdOptions): SettingsRules<Lcd, LcdCreate, LcdPatch> {
  return {
    word: 'lcd',
    noun: 'display',
    rows: lcds,
    made: (sent, { unique_id } = { unique_id: randomUUID() }) =>
      checked({ unique_id, options: {}, is_activated: true, ...sent }, measured),
    changed: (before, patch) => {
      refuseChanged(patch, before, ['unique_id']);
      const options = mergedOptions(before, patch);
      return checked({ ...before, ...patch, unique_id: before.unique_id, options }, measured);
    },
  };
}

function checked(asked: object, measured: LcdOptions['measured']): Lcd {
  const one = lcd.parse(asked);
  const { options } = checkDriver(one.driver, one.options, 'lcd');
  const { line_sets = [] } = shownOptions.parse(options);
  line_sets.forEach((set, at) => {
    set.forEach((line, row) => refuseUnknownMeasurement(line, measured, `options.line_sets[${at}][${row}]`));
  });
  return one;
}

function refuseUnknownMeasurement(line: LcdLine, measured: LcdOptions['measured'], path: string): void {
  if (line.kind !== 'measurement') return;
  const device = measured.get(line.device_id);
  if (device === undefined) throw refuseField('unknown_reference', `${path}.device_id`, why('measures_nothing'));
  const isThere = device.channels.some(({ measurement_id }) => measurement_id === line.measurement_id);
  if (!isThere) throw refuseField('unknown_reference', `${path}.measurement_id`, why('no_such_measurement'));
}
