import { RemoteFailure } from '../../contract/remote/failure.ts';
import type { pidMethods } from '../../contract/remote/pid.ts';
import type { Activation } from '../controllers/activation.ts';
import type { PidController } from '../controllers/pid/pid.ts';
import type { Pids } from '../controllers/pid/pids.ts';
import type { HandlersOf } from './handlers.ts';

const success = 'success' as const;

interface PidParts {
  activation: Pick<Activation, 'require' | 'refresh'>;
  pids: Pids;
}

/** PIDs, as Python programs and the service command them. */
export function pidHandlers({ activation, pids }: PidParts): HandlersOf<typeof pidMethods> {
  const running = (id: string): PidController => {
    activation.require('PID', id);
    return pids.get(id);
  };
  const told = async (id: string, event: 'hold' | 'pause' | 'resume') => {
    await running(id).tell(event);
    return success;
  };
  return {
    pid_get: ({ pid_id, setting }) => settingOf(running(pid_id), setting),
    pid_set: async ({ pid_id, setting, value }) => {
      const pid = running(pid_id);
      if (setting === 'method') activation.require('Method', String(value).toLowerCase());
      await set(pid, setting, value);
      return success;
    },
    pid_state: ({ pid_id }) => running(pid_id).live(),
    pid_autotune_start: async ({ pid_id, ...asked }) => {
      const pid = running(pid_id);
      if (await pid.tryOut(asked)) return pid.trial();
      throw new RemoteFailure('not_active', `PID ${pid_id} is not running by a measurement`);
    },
    pid_autotune_get: ({ pid_id }) => running(pid_id).trial(),
    pid_autotune_abort: async ({ pid_id }) => {
      await running(pid_id).endTrial();
      return running(pid_id).trial();
    },
    pid_hold: ({ pid_id }) => told(pid_id, 'hold'),
    pid_pause: ({ pid_id }) => told(pid_id, 'pause'),
    pid_resume: ({ pid_id }) => told(pid_id, 'resume'),
    pid_mod: async ({ pid_id }) => {
      running(pid_id);
      await activation.refresh(pid_id, false);
      return success;
    },
  };
}

type Setting = 'setpoint' | 'error' | 'integrator' | 'derivator' | 'kp' | 'ki' | 'kd';

function settingOf(pid: PidController, setting: Setting): number | null {
  const { loop } = pid;
  const live = pid.live();
  if (setting === 'integrator') return loop.integrator;
  if (setting === 'derivator') return live.d;
  return live[setting];
}

/**
 * Throws RemoteFailure `invalid_argument` for a number out of the setting's range, and for a method of another unit.
 */
async function set(
  pid: PidController,
  setting: Exclude<Setting, 'error'> | 'method',
  value: number | string,
): Promise<void> {
  if (setting === 'method') return pid.tune({ method_id: String(value).toLowerCase() });
  const number = typeof value === 'number' ? value : Number.NaN;
  const isGain = setting === 'kp' || setting === 'ki' || setting === 'kd';
  if (!Number.isFinite(number)) throw new RemoteFailure('invalid_argument', `value: ${setting} is a number`);
  if (isGain && number < 0) throw new RemoteFailure('invalid_argument', `value: ${setting} is 0 or more`);
  if (setting !== 'integrator' && setting !== 'derivator') return pid.tune({ [setting]: number });
  if (setting === 'integrator') pid.loop.setIntegrator(number);
  else setDerivator(pid.loop, number);
  await pid.changed();
}

function setDerivator(loop: PidController['loop'], share: number): void {
  if (!loop.setDerivator(share))
    throw new RemoteFailure('invalid_argument', 'value: without kd there is no derivative');
}
