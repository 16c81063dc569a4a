import { computed, ref, watch, type Ref } from 'vue';
import type { z } from 'zod';
import { useSubmission } from '../../ui/submission.ts';

interface RowDraftParts<Draft, Sent> {
  isOpen: Ref<boolean>;
  /** What the dialog opens with. */
  begin: () => Draft;
  /** What would be sent. */
  wire: (draft: Draft) => Sent;
  schema: z.ZodType;
  run: (sent: Sent) => Promise<void>;
}

/** What a dialog edits: begun anew whenever it opens, checked by the schema of what is sent, closed once it is stored. */
export function useRowDraft<Draft extends object, Sent>({
  isOpen,
  begin,
  wire,
  schema,
  run,
}: RowDraftParts<Draft, Sent>) {
  const submission = useSubmission();
  const draft = ref(begin()) as Ref<Draft>; // drafts hold plain values, which a ref leaves as they are
  const sent = computed(() => wire(draft.value));
  /** Names of the fields that are wrong. */
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
