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

interface DaemonRestart {
  at: string;
  reason: string;
}

/** How long a control service may take to end. */
const goneMs = 3_000;

/** The control service and what it runs. */
export function liveDaemon() {
  const call = useCall();
  const session = useSession();
  const controllers = shallowReactive(new Map<string, ControllerStatus>());
  const state = shallowRef<DaemonView['state'] | 'unknown'>('unknown');
  /** Who stopped it, if known; null while it was not stopped on command. */
  const stopped = shallowRef<{ by: string | null } | null>(null);
  const lastRestart = shallowRef<DaemonRestart | null>(null);
  /** Time of the restart that was dismissed on this device. */
  const restartRead = useLocalStorage('orangery.restart-read', '');

  function takeController(status: ControllerStatus): void {
    controllers.set(status.controller_id, status);
  }

  function takeEnd({ state: told, is_stopped, stopped_by }: DaemonEnd): void {
    state.value = told;
    stopped.value = is_stopped ? { by: stopped_by } : null;
  }

  function takeView(view: DaemonView): void {
    takeEnd(view);
    lastRestart.value = view.last_restart;
    for (const status of view.controllers) takeController(status);
  }

  async function load(): Promise<void> {
    try {
      if (session.can('view_logs')) takeView(await call(daemonEndpoints.get));
      else if (session.can('edit_controllers')) takeEnd(await call(daemonEndpoints.end));
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
      state.value = isStarted ? 'up' : 'unreachable';
      void (isStarted ? load() : loadOnceGone());
    },
    restart: computed(() => (lastRestart.value?.at === restartRead.value ? null : lastRestart.value)),
    dismissRestart: (): void => {
      restartRead.value = lastRestart.value?.at ?? '';
    },
  };
}
