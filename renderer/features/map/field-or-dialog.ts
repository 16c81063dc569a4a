/**
 * Whether keys mean something else there than to the map. A dialog that fades keeps the focus a moment longer, but no
 * keys.
 */
export function isInFieldOrDialog(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  const overlay = target.closest('.v-overlay');
  if (overlay !== null) return overlay.classList.contains('v-overlay--active');
  return target.closest('input, textarea, [contenteditable]') !== null;
}

/** What a list, a box or a slider says is not typed: it has keys of its own, but nothing to undo. */
const untyped = 'input:is([readonly], [inputmode=none], [type=checkbox], [type=radio], [type=range], [type=file])';

/** As `isInFieldOrDialog` for undo and redo, which are the map's wherever nothing can be typed. */
export function isInTextOrDialog(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement) || !isInFieldOrDialog(target)) return false;
  return target.closest('.v-overlay--active') !== null || !target.matches(untyped);
}
