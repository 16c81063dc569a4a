import type { Database } from '../../db/open.ts';
import { DesignRepository } from '../../db/repositories/design.ts';
import { MapHistoryRepository } from '../../db/repositories/map-history.ts';
import { OverlayRepository } from '../../db/repositories/overlay.ts';
import type { Slices } from './slices.ts';

/** The stored maps on one connection: the server's, or the map worker's. */
export interface MapStore {
  db: Database;
  designs: DesignRepository;
  overlays: OverlayRepository;
  history: MapHistoryRepository;
  /** Set in the map worker, which alone writes large changes. */
  slices?: Slices;
}

export function mapStore(db: Database, slices?: Slices): MapStore {
  return {
    db,
    ...(slices && { slices }),
    designs: new DesignRepository(db),
    overlays: new OverlayRepository(db),
    history: new MapHistoryRepository(db),
  };
}
