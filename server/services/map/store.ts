import type { Database } from '../../db/open.ts';
import { DesignRepository } from '../../db/repositories/design.ts';
import { MapHistoryRepository } from '../../db/repositories/map-history.ts';
import { OverlayRepository } from '../../db/repositories/overlay.ts';

/** The stored maps on one connection: that of the server, or that of the map worker. */
export interface MapStore {
  db: Database;
  designs: DesignRepository;
  overlays: OverlayRepository;
  history: MapHistoryRepository;
}

export function mapStore(db: Database): MapStore {
  return {
    db,
    designs: new DesignRepository(db),
    overlays: new OverlayRepository(db),
    history: new MapHistoryRepository(db),
  };
}
