import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { AnswerOf } from '../../contract/endpoint.ts';
import { Refusal, refuseChanged } from '../../contract/errors.ts';
import type { Unit, UnitCreate, unitEndpoints, UnitPatch } from '../../contract/unit.ts';
import {
  measurementName,
  rawUnits,
  unitConversion,
  type MeasurementName,
  type UnitConversion,
} from '../../contract/units.ts';
import type { InputRepository } from '../../db/repositories/input.ts';
import type { UnitRepository } from '../../db/repositories/unit.ts';
import type { Transact } from '../../db/transaction.ts';
import { refuseUsedUnit } from '../device/users.ts';

interface UnitOptions {
  rows: UnitRepository;
  inputs: Pick<InputRepository, 'list'>;
  transact: Transact;
  audit: AuditSink;
}

/** Units that sensors send and series can be read in: built-in ones, and those that people add. */
export class UnitService {
  readonly #options: UnitOptions;

  constructor(options: UnitOptions) {
    this.#options = options;
  }

  list(): Omit<AnswerOf<typeof unitEndpoints.list>, 'next_cursor'> {
    const delivered = measurementName.options.flatMap((measurement) =>
      Object.entries(rawUnits[measurement] ?? {}).map(([unit, conversion]) => ({ measurement, unit, ...conversion })),
    );
    return { units: this.#options.rows.list(), delivered };
  }

  /** Throws `not_found`. */
  get(id: string): Unit {
    const found = this.#options.rows.list().find(({ unique_id }) => unique_id === id);
    if (found === undefined) throw new Refusal('not_found', 'there is no such unit');
    return found;
  }

  /** How to convert a unit of a measurement to the stored one; undefined for an unknown unit. */
  conversion(measurement: MeasurementName, unit: string): UnitConversion | undefined {
    return unitConversion(measurement, unit, this.#options.rows.list());
  }

  /** Throws `already_exists`. */
  create(actor: Actor, { offset = 0, ...sent }: UnitCreate, unique_id: string = randomUUID()): Unit {
    const { rows, transact, audit } = this.#options;
    return transact(() => {
      const unit: Unit = { unique_id, offset, ...sent };
      this.#refuseKnown(unit);
      rows.insert(unit);
      audit.record({ kind: 'unit.create', actor, target: unit.unique_id, after: unit });
      return unit;
    });
  }

  /**
   * Sensors that use the unit take the new factor at their next reading. Throws `not_found`, `already_exists`,
   * `read_only_field`, `in_use`.
   */
  change(actor: Actor, id: string, sent: UnitPatch): Unit {
    const { rows, inputs, transact, audit } = this.#options;
    return transact(() => {
      const before = this.get(id);
      refuseChanged(sent, before, ['unique_id']);
      const {
        measurement = before.measurement,
        unit = before.unit,
        factor = before.factor,
        offset = before.offset,
      } = sent;
      const after: Unit = { unique_id: id, measurement, unit, factor, offset };
      if (unit !== before.unit || measurement !== before.measurement) {
        refuseUsedUnit(before, inputs);
        this.#refuseKnown(after);
      }
      rows.update(after);
      audit.record({ kind: 'unit.change', actor, target: id, before, after });
      return after;
    });
  }

  /** Throws `not_found`, or `in_use` with the inputs that use it. */
  remove(actor: Actor, id: string): void {
    const { rows, inputs, transact, audit } = this.#options;
    transact(() => {
      const before = this.get(id);
      refuseUsedUnit(before, inputs);
      rows.remove(id);
      audit.record({ kind: 'unit.delete', actor, target: id, before });
    });
  }

  #refuseKnown({ measurement, unit }: Unit): void {
    if (this.conversion(measurement, unit) === undefined) return;
    throw new Refusal('already_exists', `${measurement} has a unit ${unit} already`);
  }
}
