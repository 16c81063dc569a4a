import { nextTick } from 'vue';
import { showPlace } from '../../ui/show-place.ts';

/** Id of the element that holds the card of a controller. */
export const placeOf = (id: string): string => `controller-${id}`;

/** Scrolls to the card of a controller and focuses it; nothing where the page has none. */
export async function showCard(id: string): Promise<void> {
  await nextTick();
  const place = document.getElementById(placeOf(id));
  if (place !== null) await showPlace(place);
}
