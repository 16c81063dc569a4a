/** Maximum number of frames that cards may need to render. */
const mostFrames = 40;
/** The element counts as still after this many frames in one place. */
const stillFrames = 6;

/**
 * Scrolls to an element and focuses it. Content before it may render only when near, which moves the element: scrolls
 * until it stays still.
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
