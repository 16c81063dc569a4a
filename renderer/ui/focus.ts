import type { Directive } from 'vue';

const field = 'input, textarea';
/** Half a second of frames: longer than any dialog's entrance, during which its fields cannot take the focus. */
const mostFrames = 30;

/**
 * `v-focus` focuses the element, or the first field inside it, as soon as possible. Vuetify's `autofocus` waits 50 ms
 * after the element becomes visible and then steals the focus from a field that the user may already be typing in.
 * `v-focus="false"` does nothing.
 */
export const vFocus: Directive<HTMLElement, boolean | undefined> = {
  mounted(element, { value }) {
    if (value === false) return;
    focusWhenPossible(element.querySelector<HTMLElement>(field) ?? element, mostFrames);
  },
};

function focusWhenPossible(target: HTMLElement, frames: number): void {
  target.focus();
  if (document.activeElement === target || frames === 0) return;
  requestAnimationFrame(() => {
    if (!isSomebodyTyping()) focusWhenPossible(target, frames - 1);
  });
}

function isSomebodyTyping(): boolean {
  return document.activeElement?.matches(field) ?? false;
}
