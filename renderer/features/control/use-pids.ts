import { computed, type ComputedRef } from 'vue';
import { pidEndpoints, pidLive, type Pid, type PidLive } from '../../../server/contract/pid.ts';
import { useCall } from '../../client/client.ts';
import { useDevices } from '../../stores/device.ts';
import { useLive } from '../../stores/live.ts';
import { useSession } from '../../stores/session.ts';

export type PidCommand = 'hold' | 'pause' | 'resume';

interface Pids {
  pids: ComputedRef<Pid[]>;
  /** As it is now; undefined while nobody knows. */
  now: (id: string) => PidLive | undefined;
  load: () => Promise<void>;
  /** Throws what the daemon did not do. */
  tell: (id: string, command: PidCommand) => Promise<void>;
}

/** The PIDs with what they do, kept up by events. */
export function usePids(): Pids {
  const call = useCall();
  const devices = useDevices();
  const live = useLive();
  const session = useSession();

  async function load(): Promise<void> {
    await devices.reload();
    if (!session.can('view_stats')) return;
    for (const one of (await call(pidEndpoints.listLive)).pids) live.takeControl(one.pid_id, one);
  }

  async function tell(id: string, command: PidCommand): Promise<void> {
    live.takeControl(id, await call(pidEndpoints[command], { params: { pid_id: id } }));
  }

  return {
    pids: computed(() => devices.listOf('pid')),
    now: (id) => pidLive.safeParse(live.control(id)).data,
    load,
    tell,
  };
}
