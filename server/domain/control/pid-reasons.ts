import { drivenSides, pidOutputUnits, type Pid } from '../../contract/pid.ts';
import { amount, differenceUnit, type Reason, type ReasonFact } from '../../contract/reason.ts';
import type { PidTerms } from './pid.ts';

interface Step {
  setpoint: number;
  measurement: number;
  /** Of both. */
  unit: string;
  terms: PidTerms;
  /** It rests within the band of its setpoint. */
  isIdle: boolean;
}

/** The law of a PID with the numbers of one step. */
export function lawReason(settings: Pid, { setpoint, measurement, unit, terms, isIdle }: Step): Reason {
  const { error, p, i, d, control } = terms;
  const law = {
    setpoint: amount(setpoint, unit),
    measurement: amount(measurement, unit),
    error: amount(error, differenceUnit(unit)),
    p: amount(p, ''),
    i: amount(i, ''),
    d: amount(d, ''),
    control: shareOfControl(settings, control),
  };
  if (isIdle) return { code: 'pid_in_band', facts: law };
  const sum = p + i + d;
  if (control === sum) return { code: 'pid_law', facts: law };
  return { code: 'pid_limited', facts: { ...law, sum: shareOfControl(settings, sum) } };
}

/** A share of control in the unit of its outputs; without a unit if they have two. */
export function shareOfControl(settings: Pid, control: number): ReasonFact {
  const units = new Set(
    drivenSides(settings).flatMap((side) => (settings[side] ? pidOutputUnits[settings[side].kind] : [])),
  );
  const [unit = ''] = units.size === 1 ? units : [];
  return amount(control, unit);
}
