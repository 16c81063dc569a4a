import { useDebounceFn, useLocalStorage } from '@vueuse/core';
import { computed, shallowReactive, shallowRef } from 'vue';
import {
  daemonEndpoints,
  type ControllerStatus,
  type DaemonEnd,
  type DaemonView,
} from '../../../server/contract/daemon.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useSession } from '../session.ts';
import { Told, type Takes } from './told.ts';

interface DaemonRestart {
  at: string;
  reason: string;
}

/** How long a control service may take to end. */
const goneMs = 3_000;

const ofService = 'service';

/** The control service and what it runs. */
export function liveDaemon() {
  const call = useCall();
  const session = useSession();
  const told = new Told();
  const controllers = shallowReactive(new Map<string, ControllerStatus>());
  const state = shallowRef<DaemonView['state'] | 'unknown'>('unknown');
  /** Who stopped it, if known; null while it was not stopped on command. */
  const stopped = shallowRef<{ by: string | null } | null>(null);
  const lastRestart = shallowRef<DaemonRestart | null>(null);
  /** Time of the restart that was dismissed on this device. */
  const restartRead = useLocalStorage('orangery.restart-read', '');

  /** Takes the news of a controller. */
  function takeController(status: ControllerStatus): void {
    told.hear(status.controller_id);
    controllers.set(status.controller_id, status);
  }

  function takeEnd({ state: answered, is_stopped, stopped_by }: DaemonEnd, takes: Takes): void {
    if (!takes(ofService)) return;
    state.value = answered;
    stopped.value = is_stopped ? { by: stopped_by } : null;
  }

  function takeView(view: DaemonView, takes: Takes): void {
    takeEnd(view, takes);
    lastRestart.value = view.last_restart;
    for (const status of view.controllers)
      if (takes(status.controller_id)) controllers.set(status.controller_id, status);
  }

  async function load(): Promise<void> {
    const takes = told.ask();
    try {
      if (session.can('view_logs')) takeView(await call(daemonEndpoints.get), takes);
      else if (session.can('edit_controllers')) takeEnd(await call(daemonEndpoints.end), takes);
    } catch (error) {
      if (!isApiError(error)) throw error;
    }
  }

  /** Whether it was stopped on command is known once its process has ended. */
  const loadOnceGone = useDebounceFn(() => void load(), goneMs);

  return {
    controllers,
    state,
    stopped,
    takeController,
    load,
    /** Takes the news that it started or ended. */
    take: (isStarted: boolean): void => {
      told.hear(ofService);
      state.value = isStarted ? 'up' : 'unreachable';
      void (isStarted ? load() : loadOnceGone());
    },
    restart: computed(() => (lastRestart.value?.at === restartRead.value ? null : lastRestart.value)),
    dismissRestart: (): void => {
      restartRead.value = lastRestart.value?.at ?? '';
    },
  };
}
