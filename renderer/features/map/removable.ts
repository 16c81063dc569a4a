import type { Feature } from '../../../server/contract/overlay.ts';
import { idOf, isSameFeature } from '../../map/edit-buffer.ts';

interface PresentMap {
  find: (id: string) => Feature | undefined;
  /** Whether a house occupies a shape. */
  holdsHouse: (id: string) => boolean;
}

/** Ids of the added shapes that may be taken back: those that nobody has changed since and no house occupies. */
export function removable(added: readonly Feature[], { find, holdsHouse }: PresentMap): string[] {
  return added.filter((one) => isSameFeature(find(idOf(one)), one) && !holdsHouse(idOf(one))).map(idOf);
}
