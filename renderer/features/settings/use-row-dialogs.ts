import { shallowRef, type ShallowRef } from 'vue';
import { useSubmission, type Submission } from '../../ui/submission.ts';

export interface RowDialogs<Row> {
  /** The row of the open dialog; null for a new one. */
  chosen: ShallowRef<Row | null>;
  isEditing: ShallowRef<boolean>;
  isRemoving: ShallowRef<boolean>;
  removing: Submission;
  edit: (row: Row | null) => void;
  askRemove: (row: Row) => void;
  /** Closes without deleting. */
  keep: () => void;
  /** Does the work for the chosen row and closes the question; true when it succeeded. */
  remove: (work: (row: Row) => Promise<unknown>) => Promise<boolean>;
}

/** The dialogs of a list: one to create and edit a row, and one to confirm deleting it. */
export function useRowDialogs<Row>(): RowDialogs<Row> {
  const removing = useSubmission();
  const chosen: ShallowRef<Row | null> = shallowRef(null);
  const isEditing = shallowRef(false);
  const isRemoving = shallowRef(false);

  return {
    chosen,
    isEditing,
    isRemoving,
    removing,
    edit: (row) => {
      chosen.value = row;
      isEditing.value = true;
    },
    askRemove: (row) => {
      chosen.value = row;
      removing.forget();
      isRemoving.value = true;
    },
    keep: () => {
      isRemoving.value = false;
    },
    remove: async (work) => {
      const row = chosen.value;
      if (row === null || !(await removing.run(() => work(row)))) return false;
      isRemoving.value = false;
      return true;
    },
  };
}
