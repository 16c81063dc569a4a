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
