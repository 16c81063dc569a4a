/**
 * Whether the page is out of sight: then there is no frame to keep free, and timers come once a second, later once a
 * minute.
 */
export function isPageHidden(): boolean {
  return typeof document !== 'undefined' && document.visibilityState === 'hidden';
}
