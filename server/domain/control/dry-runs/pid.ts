import type { Pid } from '../../../contract/pid.ts';
import type { Reason } from '../../../contract/reason.ts';
import { demandOf, type Demand } from '../pid-demand.ts';
import { lawReason } from '../pid-reasons.ts';
import { demandRanges, lawSettings } from '../pid-settings.ts';
import { pidStep, restingPid, type PidTerms } from '../pid.ts';

interface Read {
  /** null when there is none, or none young enough. */
  setpoint: number | null;
  measurement: number | null;
  /** Of both. */
  unit: string;
}

/**
 * The first step of a PID without accumulated state: its terms and the demand on its outputs; null without a reading.
 */
export function pidDryRun(
  pid: Pid,
  { setpoint, measurement, unit }: Read,
): { terms: PidTerms | null; demand: Demand; reason: Reason } {
  const nothing = { terms: null, demand: {}, reason: { code: 'pid_no_reading', facts: {} } } as const;
  if (setpoint === null || measurement === null) return nothing;
  const { state, terms } = pidStep(restingPid, lawSettings(pid, pid), { setpoint, measurement, dt_s: 0 });
  if (terms === null) return nothing;
  const reason = lawReason(pid, { setpoint, measurement, unit, terms, isIdle: state.is_idle });
  return { terms, demand: demandOf(terms.control, demandRanges(pid)), reason };
}
