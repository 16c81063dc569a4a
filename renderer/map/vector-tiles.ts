import {
  CenteredTextSymbolizer,
  CircleSymbolizer,
  GeomType,
  leafletLayer,
  LineLabelSymbolizer,
  LineSymbolizer,
  PolygonSymbolizer,
  type Feature,
  type LabelRule,
  type PaintRule,
} from 'protomaps-leaflet';
import type { L } from './leaflet.ts';
import type { MapLook } from './look.ts';

interface VectorTiles {
  /** With {z}, {x}, {y}. */
  url: string;
  /** Names of the content of the tiles. */
  layers: readonly string[];
  /** As HTML. */
  attribution: string;
  opacity: number;
  deepestZoom: number;
  maxZoom: number;
}

/** The content of a tile layer: names of the OpenMapTiles and Protomaps schemas; others are drawn as `other`. */
const meanings = {
  earth: ['earth'],
  green: ['landcover', 'landuse', 'park', 'natural'],
  water: ['water', 'waterway', 'ocean'],
  building: ['building', 'buildings'],
  road: ['transportation', 'roads', 'transit'],
  border: ['boundary', 'boundaries'],
  roadName: ['transportation_name'],
  place: ['place', 'places', 'water_name', 'mountain_peak', 'aerodrome_label'],
  /** Nothing to see at the scale of a farm, or a thicket of it. */
  hidden: ['poi', 'pois', 'housenumber', 'physical_point', 'physical_line'],
} as const satisfies Record<string, readonly string[]>;
type Meaning = keyof typeof meanings | 'other';
/** From the lowest to the highest. */
const order: readonly Meaning[] = [
  'earth',
  'green',
  'other',
  'water',
  'building',
  'road',
  'border',
  'roadName',
  'place',
];

function meaningOf(layer: string): Meaning {
  const known = Object.entries(meanings).find(([, names]) => (names as readonly string[]).includes(layer));
  return (known?.[0] ?? 'other') as Meaning; // a key of meanings
}

/** A base map of vector tiles, drawn in the quiet colours of the map. */
export function vectorTiles(tiles: VectorTiles, look: MapLook, language: string): L.GridLayer {
  const named = tiles.layers
    .map((layer) => ({ layer, meaning: meaningOf(layer) }))
    .sort((a, b) => order.indexOf(a.meaning) - order.indexOf(b.meaning));
  const { url, attribution, opacity, deepestZoom: maxDataZoom, maxZoom } = tiles;
  const options = {
    url,
    attribution,
    opacity,
    maxZoom,
    maxDataZoom,
    backgroundColor: look.land,
    className: 'map-vector',
    paintRules: named.flatMap(({ layer, meaning }) => paintRules(layer, meaning, look)),
    labelRules: named.flatMap(({ layer, meaning }) => labelRules(layer, meaning, { look, language })),
  };
  const layer: unknown = leafletLayer(options);
  return layer as L.GridLayer; // of the page's Leaflet, which the library does not declare
}

const isOf =
  (type: GeomType) =>
  (_zoom: number, { geomType }: Feature): boolean =>
    geomType === type;

function paintRules(dataLayer: string, meaning: Meaning, look: MapLook): PaintRule[] {
  const area = (fill: string, opacity = 1): PaintRule => ({
    dataLayer,
    filter: isOf(GeomType.Polygon),
    symbolizer: new PolygonSymbolizer({ fill, opacity }),
  });
  const line = (color: string, width: number | ((zoom: number) => number), dash?: number[]): PaintRule => ({
    dataLayer,
    filter: isOf(GeomType.Line),
    symbolizer: new LineSymbolizer({ color, width, ...(dash && { dash }) }),
  });
  const wider = (from: number) => (zoom: number) => Math.max(0.6, from * 1.35 ** (zoom - 14));
  const rules: Partial<Record<Meaning, () => PaintRule[]>> = {
    earth: () => [area(look.land)],
    green: () => [area(look.gridMinor, 0.7)],
    water: () => [area(look.water), line(look.water, wider(2))],
    building: () => [area(look.gridMajor)],
    road: () => [line(look.gridMajor, wider(3.5)), line(look.paper, wider(2))],
    border: () => [line(look.border, 1, [4, 3])],
    other: () => [
      area(look.gridMajor, 0.5),
      line(look.border, 1.2),
      { dataLayer, filter: isOf(GeomType.Point), symbolizer: new CircleSymbolizer({ radius: 3, fill: look.border }) },
    ],
  };
  return rules[meaning]?.() ?? [];
}

const font = '600 12px system-ui, sans-serif';

function labelRules(
  dataLayer: string,
  meaning: Meaning,
  { look, language }: { look: MapLook; language: string },
): LabelRule[] {
  const words = { labelProps: [`name:${language}`, 'name'], font, fill: look.ink, stroke: look.paper, width: 2 };
  if (meaning === 'place') return [{ dataLayer, symbolizer: new CenteredTextSymbolizer(words) }];
  const isNamedRoad = meaning === 'roadName' || dataLayer === 'roads';
  return isNamedRoad ? [{ dataLayer, minzoom: 14, symbolizer: new LineLabelSymbolizer(words) }] : [];
}
