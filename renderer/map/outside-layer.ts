/** Pictures of an outside service, which come through the server. */
export interface OutsideLayer {
  id: string;
  /** With {z}, {x}, {y}; for a WMS without bbox, width and height. */
  url: string;
  attribution: string;
  /** 0 to 1. */
  opacity: number;
  /** Deeper than this the picture above is enlarged. */
  deepestZoom?: number | undefined;
  /** Set for vector tiles: names of what is in them. */
  vectorLayers?: readonly string[] | undefined;
  /** Set for a WMS: the coordinate system that it is asked in. */
  crs?: OutsideCrs | undefined;
}

/** A small picture around a place, and the pixel of the place: what a WMS is asked about. */
export interface LayerBox {
  bbox: string;
  width: number;
  height: number;
  i: number;
  j: number;
  crs: OutsideCrs;
}

/** West, south, east, north in degrees. */
export type MapBox = readonly [west: number, south: number, east: number, north: number];

/** `off`: the last view got not one picture. */
export type OutsideState = 'loading' | 'shown' | 'off';

/** Coordinate systems in which a box of the map stays a box. */
export const outsideCrs = ['EPSG:3857', 'EPSG:4326', 'CRS:84'] as const;
export type OutsideCrs = (typeof outsideCrs)[number];
