import { shallowRef, type ShallowRef } from 'vue';
import { isApiError, weaknessOf } from '../client/api-error.ts';
import { useText } from '../i18n/index.ts';
import { fieldText } from './field-text.ts';
import { useWaiting, type Waiting } from './waiting.ts';

export interface Submission {
  isBusy: ShallowRef<boolean>;
  error: ShallowRef<unknown>;
  /** The wait that a refusal asks for. */
  waiting: Waiting;
  /** Does the work, one at a time; true when it succeeded. `error` keeps what it throws. */
  run(work: () => Promise<unknown>): Promise<boolean>;
  /**
   * The server's message about a field, or null. Includes fields below it: `labels` has the fault of `labels.names`.
   */
  faultOf(path: string): string | null;
  forget(): void;
}

/** The state of a submitted form: busy, refused as a whole, refused at a field. */
export function useSubmission(): Submission {
  const { t } = useText();
  const isBusy = shallowRef(false);
  const error = shallowRef<unknown>(null);
  const waiting = useWaiting();

  async function run(work: () => Promise<unknown>): Promise<boolean> {
    if (isBusy.value) return false;
    isBusy.value = true;
    error.value = null;
    try {
      await work();
      return true;
    } catch (thrown) {
      error.value = thrown;
      waiting.begin(thrown);
      return false;
    } finally {
      isBusy.value = false;
    }
  }

  function faultOf(path: string): string | null {
    if (!isApiError(error.value)) return null;
    const fault = error.value.fields.find((field) => field.path === path || field.path.startsWith(`${path}.`));
    if (fault === undefined) return null;
    const weakness = weaknessOf([fault]);
    if (weakness) return t(`account.weakPassword.${weakness}`);
    return fieldText(fault, t) ?? t('account.notAccepted', { message: fault.message });
  }

  return {
    isBusy,
    error,
    waiting,
    run,
    faultOf,
    forget: () => {
      error.value = null;
    },
  };
}
