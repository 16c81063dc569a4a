import { computed, type ComputedRef } from 'vue';
import type { PidGains } from '../../../server/contract/pid-rehearsal.ts';
import type { Pid, PidLive } from '../../../server/contract/pid.ts';
import { useText } from '../../i18n/index.ts';
import { useDevices } from '../../stores/device.ts';
import { useNotice } from '../../stores/notice.ts';
import { useAttempts, type Attempts } from '../../ui/attempt.ts';
import { useFormat } from '../../ui/format.ts';

interface UsedGains extends Attempts {
  /** The gains in effect. */
  present: ComputedRef<PidGains>;
  take: (gains: PidGains) => Promise<boolean>;
  gainText: (gain: number) => string;
}

export const gainNames = ['kp', 'ki', 'kd'] as const satisfies (keyof PidGains)[];
export const gainsOf = ({ kp, ki, kd }: PidGains): PidGains => ({ kp, ki, kd });

/** The gains of a PID, and a function to replace them. */
export function usePidGains(pid: () => Pid, now: () => PidLive | undefined): UsedGains {
  const { t } = useText();
  const format = useFormat();
  const devices = useDevices();
  const notice = useNotice();
  const attempts = useAttempts();

  /** Stores them; a running PID continues without a jump. The notice offers to undo. */
  async function take(gains: PidGains): Promise<boolean> {
    const { unique_id, name } = pid();
    const before = gainsOf(pid());
    const set = (wanted: PidGains): Promise<void> => devices.change('pid', unique_id, wanted);
    if (!(await attempts.attempt(t('control.tuning.taken', { name }), () => set(gainsOf(gains))))) return false;
    const undo = (): void => void attempts.attempt(t('control.tuning.undone', { name }), () => set(before));
    notice.done(t('control.tuning.taken', { name }), { label: t('ui.undo'), run: undo });
    return true;
  }

  return {
    ...attempts,
    present: computed(() => gainsOf(now() ?? pid())),
    take,
    gainText: (gain) => format.significant(gain), // an integral one is small
  };
}
