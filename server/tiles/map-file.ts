/** A map file's description of itself, unchecked texts. */
export interface MapFileAbout {
  name: string;
  attribution: string;
  kind: 'raster' | 'vector';
  min_zoom: number | null;
  max_zoom: number | null;
  /** For vector tiles: names of their layers. */
  layers: string[];
  /** For a downloaded area: tiles that the service did not have; null when the file does not say. */
  missing_tiles: number | null;
  /** For a downloaded area: the layer of the tile service, and west, south, east, north; null for any other file. */
  area: { layer: string; bbox: [number, number, number, number] } | null;
}

export interface TilePlace {
  z: number;
  /** From the west. */
  x: number;
  /** From the north. */
  y: number;
}

/** A map of tiles in one file, read only. */
export interface MapFile {
  readonly about: MapFileAbout;
  /** Unpacked; undefined when the file does not have it. Throws when the file is damaged there. */
  tile(at: TilePlace): Promise<Buffer | undefined>;
  close(): void;
}

/** `no_index`: every tile would be searched in the whole file; `format`: tiles of a kind that cannot be drawn. */
export type MapFileFault = 'no_database' | 'no_archive' | 'no_tiles' | 'no_index' | 'format';

/** The fault of a file that should be a map. */
export class MapFileError extends Error {
  override readonly name = 'MapFileError';
  readonly code: MapFileFault;

  constructor(code: MapFileFault, cause?: unknown) {
    super(code, { cause });
    this.code = code;
  }
}

/** A larger tile is not valid, and a small file may unpack to a large one. */
export const mostTileBytes = 8 * 1024 * 1024;
/** Maximum names returned. */
const mostLayers = 100;

/** Names of the layers in the list `vector_layers` of TileJSON. */
export function layerNames(list: unknown): string[] {
  if (!Array.isArray(list)) return [];
  const names = list.flatMap((one: unknown) =>
    typeof one === 'object' && one !== null && 'id' in one && typeof one.id === 'string' ? one.id.slice(0, 200) : [],
  );
  return names.slice(0, mostLayers);
}
