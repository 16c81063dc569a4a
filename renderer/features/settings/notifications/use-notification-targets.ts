import { shallowRef, type ShallowRef } from 'vue';
import {
  notificationTargetEndpoints,
  type NotificationTarget,
  type NotificationTargetCreate,
  type NotificationTargetPatch,
} from '../../../../server/contract/notification-target.ts';
import { useCall } from '../../../client/client.ts';

export interface NotificationTargets {
  list: ShallowRef<NotificationTarget[]>;
  isLoaded: ShallowRef<boolean>;
  load: () => Promise<void>;
  create: (body: NotificationTargetCreate) => Promise<void>;
  change: (id: string, body: NotificationTargetPatch) => Promise<void>;
  remove: (id: string) => Promise<void>;
  /** Sends a test message and returns the recipient's answer; throws when it was not delivered. */
  test: (id: string) => Promise<string>;
}

/** The notification targets for alarms. */
export function useNotificationTargets(): NotificationTargets {
  const call = useCall();
  const list = shallowRef<NotificationTarget[]>([]);
  const isLoaded = shallowRef(false);
  const paramsOf = (id: string): { notification_target_id: string } => ({ notification_target_id: id });

  async function load(): Promise<void> {
    list.value = (await call(notificationTargetEndpoints.list)).notification_targets;
    isLoaded.value = true;
  }

  return {
    list,
    isLoaded,
    load,
    create: async (body) => {
      await call(notificationTargetEndpoints.create, { body });
      await load();
    },
    change: async (id, body) => {
      await call(notificationTargetEndpoints.change, { params: paramsOf(id), body });
      await load();
    },
    remove: async (id) => {
      await call(notificationTargetEndpoints.remove, { params: paramsOf(id) });
      await load();
    },
    test: async (id) => {
      try {
        const { last_result } = await call(notificationTargetEndpoints.test, { params: paramsOf(id) });
        return last_result?.message ?? '';
      } finally {
        // Shows the stored result, also of a failed test.
        await load();
      }
    },
  };
}
