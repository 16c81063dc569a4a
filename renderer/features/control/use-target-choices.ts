import { shallowRef } from 'vue';
import { targetOf } from '../../../server/contract/action.ts';
import {
  notificationTargetEndpoints,
  type NotificationTargetChoice,
} from '../../../server/contract/notification-target.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useSession } from '../../stores/session.ts';
import type { Offer } from '../devices/form/form-context.ts';
import type { Group } from '../devices/form/option-schema.ts';

interface TargetChoices {
  load: () => Promise<void>;
  offersOf: (name: string, siblings: Group) => Offer[] | null;
}

/** Notification targets that an action can use, by the kind of the action. */
export function useTargetChoices(): TargetChoices {
  const call = useCall();
  const session = useSession();
  const targets = shallowRef<readonly NotificationTargetChoice[]>([]);

  return {
    load: async () => {
      if (!session.can('edit_controllers')) return;
      try {
        targets.value = (await call(notificationTargetEndpoints.choices)).notification_targets;
      } catch (error) {
        if (!isApiError(error)) throw error; // the form works without them until it is reopened
      }
    },
    offersOf: (name, { kind }) => {
      if (name !== 'target_id') return null;
      const needed = Object.entries(targetOf).find(([action]) => action === kind)?.[1] ?? null;
      return targets.value
        .filter((target) => needed === null || target.kind === needed)
        .map(({ unique_id, name: title }) => ({ value: unique_id, title }));
    },
  };
}
