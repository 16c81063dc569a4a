import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import { displayOptions, type LcdLine } from '../../contract/drivers/virtual.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { lcd, type Lcd, type LcdCreate, type LcdPatch, type LiveLcd } from '../../contract/lcd.ts';
import type { Interlock } from '../../contract/safety.ts';
import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import type { InputRepository } from '../../db/repositories/input.ts';
import type { LcdRepository } from '../../db/repositories/lcd.ts';
import type { PlacementRepository } from '../../db/repositories/placement.ts';
import type { Transact } from '../../db/transaction.ts';
import type { DaemonSettings } from '../live/daemon-settings.ts';
import { checkDriver } from './driver-channels.ts';
import { mergedOptions, refuseOtherId } from './patch.ts';
import { refuseUsedDevice } from './users.ts';
import type { LiveCache } from '../live/live.ts';

interface LcdServiceOptions {
  lcds: LcdRepository;
  inputs: InputRepository;
  facilities: FacilityRepository;
  placements: PlacementRepository;
  interlocks: () => readonly Interlock[];
  kinds: ControllerStores;
  transact: Transact;
  audit: AuditSink;
  daemon: DaemonSettings;
  live: Pick<LiveCache, 'lcd'>;
}

/** The settings of displays, and what they show beside them. */
export class LcdService {
  readonly #options: LcdServiceOptions;

  constructor(options: LcdServiceOptions) {
    this.#options = options;
  }

  list(): Lcd[] {
    return this.#options.lcds.list();
  }

  /** Throws `not_found`. */
  get(id: string): Lcd {
    const found = this.#options.lcds.get(id);
    if (found === undefined) throw new Refusal('not_found', 'no such display');
    return found;
  }

  has(id: string): boolean {
    return this.#options.lcds.get(id) !== undefined;
  }

  listLive(): LiveLcd[] {
    return this.list().map((one) => this.#withDisplay(one));
  }

  /** Throws `not_found`. */
  getLive(id: string): LiveLcd {
    return this.#withDisplay(this.get(id));
  }

  /** Stores it and tells the daemon. Throws `unknown_reference`, `invalid_field` or `unknown_field`. */
  async create(actor: Actor, sent: LcdCreate): Promise<Lcd> {
    const { lcds, transact, audit, daemon } = this.#options;
    const made = lcd.parse({ unique_id: randomUUID(), options: {}, is_activated: true, ...sent });
    transact(() => {
      lcds.insert(this.#checked(made));
      audit.record({ kind: 'lcd.create', actor, target: made.unique_id, after: made });
    });
    await daemon.changed(made.unique_id);
    return made;
  }

  /** Changes what the patch names and tells the daemon. Throws as `create`, `not_found`, `read_only_field`. */
  async change(actor: Actor, id: string, patch: LcdPatch): Promise<Lcd> {
    const after = this.#store(actor, id, patch);
    await this.#options.daemon.changed(id);
    return after;
  }

  /** Stores whether it is to run; the caller tells the daemon. Throws `not_found`. */
  setActivated(actor: Actor, id: string, is_activated: boolean): void {
    this.#store(actor, id, { is_activated });
  }

  /** Throws `not_found`, or `in_use` with what uses it. */
  async remove(actor: Actor, id: string): Promise<void> {
    const { lcds, transact, audit, daemon } = this.#options;
    transact(() => {
      const before = this.get(id);
      refuseUsedDevice(id, this.#options);
      lcds.remove(id);
      audit.record({ kind: 'lcd.delete', actor, target: id, before });
    });
    await daemon.changed(id);
  }

  #store(actor: Actor, id: string, patch: LcdPatch): Lcd {
    const { lcds, transact, audit } = this.#options;
    return transact(() => {
      const before = this.get(id);
      refuseOtherId(id, patch.unique_id);
      const options = mergedOptions(before, patch);
      const after = this.#checked(lcd.parse({ ...before, ...patch, unique_id: id, options }));
      lcds.update(after);
      audit.record({ kind: 'lcd.change', actor, target: id, before, after });
      return after;
    });
  }

  #checked(one: Lcd): Lcd {
    const { options } = checkDriver(one.driver, one.options, 'lcd');
    const { line_sets = [] } = displayOptions.parse(options);
    line_sets.forEach((set, at) => {
      set.forEach((line, row) => this.#checkLine(line, `options.line_sets[${at}][${row}]`));
    });
    return one;
  }

  #checkLine(line: LcdLine, path: string): void {
    if (line.kind !== 'measurement') return;
    const input = this.#options.inputs.get(line.device_id.toLowerCase());
    if (input === undefined) throw refuseField('unknown_reference', `${path}.device_id`, 'is no input that exists');
    const isThere = input.channels.some(({ measurement_id }) => measurement_id === line.measurement_id.toLowerCase());
    if (!isThere) throw refuseField('unknown_reference', `${path}.measurement_id`, 'is no measurement of this input');
  }

  #withDisplay(one: Lcd): LiveLcd {
    return { ...one, display: this.#options.live.lcd(one.unique_id) };
  }
}
