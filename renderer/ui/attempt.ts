import { useText } from '../i18n/index.ts';
import { describeError, useNotice } from '../stores/notice.ts';
import { useSubmission, type Submission } from './submission.ts';

export interface Attempts {
  submission: Submission;
  /** Does it and reports success or failure in a notice; true when it succeeded. */
  attempt: (done: string, action: () => Promise<unknown>) => Promise<boolean>;
}

/** Actions without a form of their own, one at a time. */
export function useAttempts(): Attempts {
  const { t } = useText();
  const notice = useNotice();
  const submission = useSubmission();

  async function attempt(done: string, action: () => Promise<unknown>): Promise<boolean> {
    const isDone = await submission.run(action);
    if (isDone) notice.done(done);
    else notice.problem(describeError(submission.error.value, t));
    return isDone;
  }

  return { submission, attempt };
}
