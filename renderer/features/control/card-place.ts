import { nextTick } from 'vue';
import { showPlace } from '../../ui/show-place.ts';

/** Id of the element that holds a controller's card. */
export const placeOf = (id: string): string => `controller-${id}`;

/** Scrolls to a controller's card and focuses it; does nothing when the page has none. */
export async function showCard(id: string): Promise<void> {
  await nextTick();
  const place = document.getElementById(placeOf(id));
  if (place !== null) await showPlace(place);
}
