import type { Actor, AuditSink } from '../../auth/actor.ts';
import { Refusal, refuseChanged, refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type {
  MeasurementSetting,
  MeasurementSettingCreate,
  MeasurementSettingPatch,
} from '../../contract/measurement-setting.ts';
import type { MeasurementRetentionRepository } from '../../db/repositories/measurement-retention.ts';
import type { Transact } from '../../db/transaction.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import { defaultRetention } from '../../measurement/store.ts';
import type { InputService } from '../device/input.ts';

interface MeasurementSettingOptions {
  rows: MeasurementRetentionRepository;
  inputs: Pick<InputService, 'has' | 'get' | 'change'>;
  measured: Pick<MeasuredDevices, 'list'>;
  transact: Transact;
  audit: AuditSink;
}

const readOnly = ['unique_id', 'device_id', 'channel', 'measurement', 'unit', 'is_default'] as const;

/** The names of measurements and how long they are kept; the daemon reads the same rows and deletes what is older. */
export class MeasurementSettingService {
  readonly #options: MeasurementSettingOptions;

  constructor(options: MeasurementSettingOptions) {
    this.#options = options;
  }

  list(): MeasurementSetting[] {
    const { measured, rows } = this.#options;
    const own = new Map(rows.list().map((row) => [row.measurement_id, row]));
    return measured.list().flatMap((device) =>
      device.channels.map(({ measurement_id, channel, name, measurement, unit }): MeasurementSetting => {
        const { raw_days, rollup_days } = own.get(measurement_id) ?? defaultRetention;
        const kept = { raw_days, rollup_days, is_default: !own.has(measurement_id) };
        return { unique_id: measurement_id, device_id: device.unique_id, channel, name, measurement, unit, ...kept };
      }),
    );
  }

  /** Throws `not_found`. */
  get(id: string): MeasurementSetting {
    const found = this.#find(id);
    if (found === undefined) throw new Refusal('not_found', 'nothing measures this');
    return found;
  }

  /** Throws `unknown_reference`, `already_exists`, `invalid_field`. */
  create(actor: Actor, { unique_id, ...kept }: MeasurementSettingCreate): MeasurementSetting {
    const { transact } = this.#options;
    return transact(() => {
      const before = this.#find(unique_id);
      if (before === undefined) throw refuseField('unknown_reference', 'unique_id', why('measured_by_nothing'));
      if (!before.is_default) throw new Refusal('already_exists', 'how long this is kept is set already: change it');
      if (kept.raw_days === undefined && kept.rollup_days === undefined) {
        throw refuseField('invalid_field', 'raw_days', why('retention_needed'));
      }
      return this.#save(actor, before, kept);
    });
  }

  /** Throws `not_found`, `read_only_field`, `invalid_field`. */
  async change(actor: Actor, id: string, { name, ...patch }: MeasurementSettingPatch): Promise<MeasurementSetting> {
    const before = this.get(id);
    refuseChanged(patch, before, readOnly);
    const { raw_days = before.raw_days, rollup_days = before.rollup_days } = patch;
    refuseShorter({ raw_days, rollup_days });
    if (name !== undefined && name !== before.name) await this.#rename(actor, before, name);
    // What was not sent stays as it is stored now: another may have changed it while the daemon took the name.
    return this.#options.transact(() => this.#save(actor, this.get(id), patch));
  }

  /** Throws `not_found` when it already has the common retention. */
  remove(actor: Actor, id: string): void {
    const { rows, transact, audit } = this.#options;
    transact(() => {
      const before = this.get(id);
      if (!rows.remove(id)) throw new Refusal('not_found', 'this is kept as long as the others already');
      audit.record({ kind: 'measurement.retention', actor, target: id, before, after: this.get(id) });
    });
  }

  #find(id: string): MeasurementSetting | undefined {
    return this.list().find(({ unique_id }) => unique_id === id);
  }

  #save(
    actor: Actor,
    before: MeasurementSetting,
    kept: { raw_days?: number | undefined; rollup_days?: number | undefined },
  ): MeasurementSetting {
    const { rows, audit } = this.#options;
    const { unique_id, device_id, channel } = before;
    const raw_days = kept.raw_days ?? before.raw_days;
    const rollup_days = kept.rollup_days ?? before.rollup_days;
    refuseShorter({ raw_days, rollup_days });
    // Values sent back as they were read do not become a retention of its own.
    if (raw_days === before.raw_days && rollup_days === before.rollup_days) return before;
    rows.save({ device_id, measurement_id: unique_id, channel, raw_days, rollup_days });
    const after = this.get(unique_id);
    audit.record({ kind: 'measurement.retention', actor, target: unique_id, before, after });
    return after;
  }

  /** A name belongs to the input: to the audit and the daemon this is a change of it. */
  async #rename(actor: Actor, { device_id, unique_id }: MeasurementSetting, name: string): Promise<void> {
    const { inputs } = this.#options;
    if (!inputs.has(device_id)) throw refuseField('read_only_field', 'name', why('named_by_controller'));
    const channels = inputs
      .get(device_id)
      .channels.map(({ channel, measurement_id }) => ({ channel, ...(measurement_id === unique_id && { name }) }));
    await inputs.change(actor, device_id, { channels });
  }
}

function refuseShorter({ raw_days, rollup_days }: Pick<MeasurementSetting, 'raw_days' | 'rollup_days'>): void {
  if (rollup_days < raw_days) throw refuseField('invalid_field', 'rollup_days', why('rollup_shorter'));
}
