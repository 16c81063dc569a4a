/** x and y of the unit square of a tile, from the north-west. */
type Position = readonly [x: number, y: number];

interface VectorFeature {
  type: 'point' | 'line' | 'polygon';
  positions: readonly Position[];
}

const types = { point: 1, line: 2, polygon: 3 };
const extent = 4_096;
const [moveTo, lineTo, closePath] = [1, 2, 7];

/** A vector tile (Mapbox Vector Tile 2.1, section 4) of layers with features that have no properties. */
export function vectorTileOf(layers: Readonly<Record<string, readonly VectorFeature[]>>): Buffer {
  return Buffer.concat(Object.entries(layers).map(([name, features]) => field(3, layerOf(name, features))));
}

function layerOf(name: string, features: readonly VectorFeature[]): Buffer {
  return Buffer.concat([
    field(1, Buffer.from(name)),
    ...features.map(({ type, positions }) =>
      field(2, Buffer.concat([number(3, types[type]), field(4, Buffer.concat(commands(type, positions).map(varint)))])),
    ),
    number(5, extent),
    number(15, 2),
  ]);
}

function commands(type: VectorFeature['type'], positions: readonly Position[]): number[] {
  const steps = positions.map((position, at) =>
    position.map((value, axis) => value - (positions[at - 1]?.[axis] ?? 0)),
  );
  const [first = [], ...others] = steps.map((step) => step.map((value) => zigzag(Math.round(value * extent))));
  const command = (id: number, count: number): number => id | (count << 3);
  return [
    command(moveTo, 1),
    ...first,
    ...(others.length > 0 ? [command(lineTo, others.length), ...others.flat()] : []),
    ...(type === 'polygon' ? [command(closePath, 1)] : []),
  ];
}

const zigzag = (value: number): number => (value << 1) ^ (value >> 31);
const field = (tag: number, bytes: Buffer): Buffer =>
  Buffer.concat([varint((tag << 3) | 2), varint(bytes.length), bytes]);
const number = (tag: number, value: number): Buffer => Buffer.concat([varint(tag << 3), varint(value)]);

/** A varint of protocol buffers, as directories of PMTiles have them too. */
export function varint(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Buffer.from([...bytes, left]);
}
