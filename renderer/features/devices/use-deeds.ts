import { shallowRef, type ShallowRef } from 'vue';
import type { ControllerWord } from '../../../server/contract/controller-kinds.ts';
import { useText } from '../../i18n/index.ts';
import { useDevices } from '../../stores/device.ts';
import { describeError, useNotice } from '../../stores/notice.ts';
import { useAttempts, type Attempts } from '../../ui/attempt.ts';
import { usersOfRefusal, type DeviceUser } from './device-users.ts';

/** Something that the daemon runs. */
interface Thing {
  unique_id: string;
  name: string;
}

export interface Deeds<One extends Thing> extends Attempts {
  isAsking: ShallowRef<boolean>;
  /** The question about `chosen`, open or last. */
  question: ShallowRef<'remove' | 'deactivate'>;
  chosen: ShallowRef<One | null>;
  /** What uses the thing that was to be deleted. */
  users: ShallowRef<readonly DeviceUser[]>;
  /** Asks first when this stops it. */
  activate: (one: One, isActive: boolean) => void;
  askRemove: (one: One) => void;
  /** Closes the question without acting. */
  keep: () => void;
  confirm: () => Promise<void>;
}

/**
 * Activates, deactivates and deletes what the daemon runs. Asks first when that moves actuators or ends a recording.
 */
export function useDeeds<One extends Thing>(wordOf: (one: One) => ControllerWord): Deeds<One> {
  const { t } = useText();
  const devices = useDevices();
  const notice = useNotice();
  const { submission, attempt } = useAttempts();
  const question: Deeds<One>['question'] = shallowRef('remove');
  const isAsking = shallowRef(false);
  const chosen: Deeds<One>['chosen'] = shallowRef(null);
  const users: Deeds<One>['users'] = shallowRef([]);

  function ask(what: 'remove' | 'deactivate', one: One): void {
    chosen.value = one;
    users.value = [];
    question.value = what;
    isAsking.value = true;
  }

  async function deactivate({ unique_id, name }: One): Promise<void> {
    await attempt(t('devices.deactivated', { name }), () => devices.activate(unique_id, false));
    isAsking.value = false;
  }

  /** A refusal because of its users stays open and lists them. */
  async function remove(one: One): Promise<void> {
    const isGone = await submission.run(() => devices.remove(wordOf(one), one.unique_id));
    users.value = isGone ? [] : usersOfRefusal(submission.error.value);
    if (isGone) notice.done(t('devices.deleted', { name: one.name }));
    else if (users.value.length === 0) notice.problem(describeError(submission.error.value, t));
    if (isGone) isAsking.value = false;
  }

  return {
    submission,
    attempt,
    isAsking,
    question,
    chosen,
    users,
    activate: (one, isActive) => {
      if (!isActive) return ask('deactivate', one);
      void attempt(t('devices.activated', { name: one.name }), () => devices.activate(one.unique_id, true));
    },
    askRemove: (one) => ask('remove', one),
    keep: () => {
      isAsking.value = false;
    },
    confirm: async () => {
      if (chosen.value === null) return;
      await (question.value === 'remove' ? remove(chosen.value) : deactivate(chosen.value));
    },
  };
}
