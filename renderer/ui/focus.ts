import type { Directive } from 'vue';

const field = 'input, textarea';
/** Half a second of frames: longer than any dialog's entrance, during which its fields cannot take the focus. */
const mostFrames = 30;

/**
 * `v-focus`: the element, or the first field inside it, has the keyboard as soon as it can. Vuetify's `autofocus` waits
 * 50 ms after the element came into view and then takes the focus from whatever field somebody has begun to type into.
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
