import { computed, ref, watch, type Ref } from 'vue';
import type { z } from 'zod';
import { useSubmission } from '../../../ui/submission.ts';

interface RowDraftParts<Draft, Sent> {
  isOpen: Ref<boolean>;
  /** Initial values. */
  begin: () => Draft;
  /** The body to send. */
  wire: (draft: Draft) => Sent;
  schema: z.ZodType;
  run: (sent: Sent) => Promise<void>;
}

/** The draft of a dialog: reset when it opens, validated by the schema of the body, closed once stored. */
export function useRowDraft<Draft extends object, Sent>({
  isOpen,
  begin,
  wire,
  schema,
  run,
}: RowDraftParts<Draft, Sent>) {
  const submission = useSubmission();
  const draft = ref(begin()) as Ref<Draft>; // drafts are plain data, which a ref does not change
  const sent = computed(() => wire(draft.value));
  /** Names of invalid fields. */
  const faults = computed(() => {
    const read = schema.safeParse(sent.value);
    return new Set(read.success ? [] : read.error.issues.map((issue) => String(issue.path[0])));
  });

  watch(isOpen, (open) => {
    if (!open) return;
    draft.value = begin();
    submission.forget();
  });

  async function submit(): Promise<void> {
    if (faults.value.size === 0 && (await submission.run(() => run(sent.value)))) isOpen.value = false;
  }
  return { draft, faults, submission, submit };
}
