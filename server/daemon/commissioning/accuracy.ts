import type { ReferencePoint, ReferenceReading } from '../../contract/commissioning-accuracy.ts';
import type { CheckItem, CommissioningCheck } from '../../contract/commissioning.ts';
import type { DaemonEvent } from '../../contract/daemon.ts';
import { sensorRole } from '../../contract/facility-binding.ts';
import type { MeasuredDevice } from '../../contract/measured.ts';
import { accuracyOf, allowedError, compare } from '../../domain/commissioning/accuracy.ts';
import { messageOf } from '../../domain/commissioning/finding.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import { refuseUnlessJudgeable } from './verdict.ts';

interface Heard {
  measured: readonly MeasuredDevice[];
  /** The events of the last `ageMs`, oldest first. */
  recent: (ageMs: number) => readonly DaemonEvent[];
  by: string;
  at: string;
}

/**
 * A point is the mean of up to this many readings, none older than this, s, or than this many periods of the sensor.
 */
const readingsOfPoint = 10;
const longest_s = 15;
const longestPeriods = 3;

/**
 * Compares a sensor with a reference beside it, and returns its first item; earlier points stay. Throws RemoteFailure
 * `not_in_check`, `not_judgeable`, `no_reading`, `not_steady`.
 */
export function holdAgainst(check: CommissioningCheck, reading: ReferenceReading, heard: Heard): CheckItem {
  const { device_id, measurement_id, point, reference, instrument = '' } = reading;
  const items = check.items.filter((one) => one.device_id === device_id && one.measurement_id === measurement_id);
  const [first] = items;
  if (first === undefined) throw new RemoteFailure('not_in_check', `${measurement_id} is not in this check`);
  refuseUnlessJudgeable(check);
  const { values, unit } = readingsOf(reading, heard);
  for (const item of items) {
    const role = sensorRole.parse(item.role);
    const allowed = reading.allowed_error ?? allowedError(role, reference, unit);
    const { spread, ...found } = compare({ role, readings: values, reference, allowed });
    if (spread > allowed) {
      const moved = Number(spread.toPrecision(3));
      throw new RemoteFailure('not_steady', `it moved by ${moved} ${unit} in the last readings`);
    }
    const taken = { point, reference, allowed, ...found, instrument, by: heard.by, at: heard.at };
    item.accuracy = accuracyOf(role, unit, [...(item.accuracy?.points ?? []), taken]);
    proveByReference(item, taken);
  }
  return first;
}

/** A level that nothing in the house could prove is proven or refuted by a reference. */
function proveByReference(item: CheckItem, { error, allowed }: ReferencePoint): void {
  const code = item.findings?.[0]?.code;
  const byReference = code === 'held_to_reference' || code === 'off_reference';
  if (code !== 'level_unproven' && !byReference) return;
  const { passed, unit = '' } = item.accuracy ?? {};
  item.result = passed === false ? 'warn' : 'ok';
  item.findings =
    passed === false
      ? [
          {
            code: 'off_reference',
            value: Number(error.toPrecision(3)),
            unit,
            expected: `±${Number(allowed.toPrecision(3))}`,
          },
        ]
      : [{ code: 'held_to_reference' }];
  item.message = messageOf(item.findings);
}

/** The last good readings of a sensor that still sends. */
function readingsOf({ device_id, measurement_id }: ReferenceReading, { measured, recent }: Heard) {
  const period_s = measured.find(({ unique_id }) => unique_id === device_id)?.period_s ?? 0;
  const told = recent(1000 * Math.max(longest_s, longestPeriods * period_s))
    .filter((event) => event.kind === 'measurement')
    .filter((event) => event.device_id === device_id && event.measurement_id === measurement_id)
    .slice(-readingsOfPoint);
  const good = told.filter(({ quality }) => quality === 'good').map(({ value }) => value);
  const values = good.filter((value) => value !== null);
  const last = told.at(-1);
  if (last === undefined || last.quality !== 'good' || values.length === 0) {
    throw new RemoteFailure('no_reading', 'the sensor gave no good reading in the last seconds');
  }
  return { values, unit: last.unit };
}
