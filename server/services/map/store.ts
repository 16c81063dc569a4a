import type { Database } from '../../db/open.ts';
import { DesignRepository } from '../../db/repositories/design.ts';
import { MapHistoryRepository } from '../../db/repositories/map-history.ts';
import { OverlayRepository } from '../../db/repositories/overlay.ts';

/** How a large change is written: in short transactions, each when it is its turn, between which others write. */
export interface Slices {
  /** A change of more features is a large one. */
  least: number;
  /** So long a transaction takes more work on, ms. */
  length_ms: number;
  /** Runs a write transaction when it may. */
  turn: <Result>(work: () => Result) => Result;
}

/** The stored maps on one connection: that of the server, or that of the map worker. */
export interface MapStore {
  db: Database;
  designs: DesignRepository;
  overlays: OverlayRepository;
  history: MapHistoryRepository;
  /** Of the map worker, which alone writes large changes. */
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
