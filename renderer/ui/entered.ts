import { shallowRef, watch, type Ref, type ShallowRef } from 'vue';

/** Keys that go through a form, or leave it, without entering anything. */
const passing = new Set(['Tab', 'Escape', 'Shift', 'Control', 'Alt', 'Meta']);

/**
 * Whether a form was worked on since its dialog opened: a glove beside it, or Escape, then closes nothing. Lists and
 * sliders raise no input event, so that each press counts.
 */
export function useEntered(isOpen: Ref<boolean>): {
  isEntered: ShallowRef<boolean>;
  /** Listeners for the form. */
  entering: { input: () => void; change: () => void; pointerdown: () => void; keydown: (event: KeyboardEvent) => void };
} {
  const isEntered = shallowRef(false);
  const note = (): void => void (isEntered.value = true);
  watch(isOpen, () => (isEntered.value = false));
  return {
    isEntered,
    entering: {
      input: note,
      change: note,
      pointerdown: note,
      keydown: ({ key }) => {
        if (!passing.has(key)) note();
      },
    },
  };
}
