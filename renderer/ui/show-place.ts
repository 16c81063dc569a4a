/** As many frames as cards may take to get their content and their height. */
const mostFrames = 40;
/** So many frames at one place are a standstill. */
const stillFrames = 6;

/**
 * Scrolls to an element and focuses it. What stands before it may get its content only as it comes near, which moves the element: it is
 * scrolled to until it stands still.
 */
export async function showPlace(element: HTMLElement): Promise<void> {
  let [place, still] = [NaN, 0];
  for (let frame = 0; frame < mostFrames && still < stillFrames; frame += 1) {
    element.scrollIntoView({ block: 'center' });
    await new Promise(requestAnimationFrame);
    const { top, height } = element.getBoundingClientRect();
    still = top + height === place ? still + 1 : 0;
    place = top + height;
  }
  element.focus({ preventScroll: true });
}
