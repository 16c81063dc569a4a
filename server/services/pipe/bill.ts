import { fittingKinds, type BillItem, type PipePrice, type PipePrices } from '../../contract/pipe-prices.ts';
import type { PipeSeries } from '../../contract/pipe-hydraulics.ts';
import type { BillRow, PipePlan } from '../../contract/pipe.ts';
import type { WaterNetwork, WaterPipe } from '../../domain/pipes/network.ts';
import type { PlannedZone } from '../../domain/pipes/plan-zone.ts';
import type { PipeLayout } from '../../domain/pipes/plan.ts';

type Piece = Pick<BillRow, 'item' | 'diameter_mm' | 'to_mm' | 'quantity'>;

interface BillTask {
  layout: PipeLayout;
  /** null when pipes have no sizes. */
  network: WaterNetwork | null;
  zones: readonly PlannedZone[];
  series: PipeSeries | null;
  prices: PipePrices;
  /** Pipe bought beyond its length, percent. */
  waste_pct: number;
}

/** The shopping list: pipe with its waste in whole metres, and the fittings, priced where a price is known. */
export function billOf({
  layout,
  network,
  zones,
  series,
  prices,
  waste_pct,
}: BillTask): Pick<PipePlan, 'waste_pct' | 'bill_of_materials' | 'cost'> {
  const metres = (length_m: number): number => Math.ceil(length_m * (1 + waste_pct / 100));
  const pieces =
    network === null
      ? unsized(layout)
      : summed([...pipesOf(network), ...fittingsOf(layout, network), ...zones.flatMap(zonePieces)]);
  const rows = pieces.map(({ quantity, ...piece }): BillRow => {
    const isByLength = piece.item === 'pipe' || piece.item === 'drip_line';
    const amount = isByLength ? metres(quantity) : quantity;
    const price = priceOf(prices.prices, piece, series);
    const unit = isByLength ? 'm' : 'piece';
    return { ...piece, quantity: amount, unit, price, cost: price === null ? null : price * amount };
  });
  const total = rows.reduce((sum, { cost }) => sum + (cost ?? 0), 0);
  const unpriced = rows.filter(({ price }) => price === null).length;
  return { waste_pct, bill_of_materials: rows, cost: { currency: prices.currency, total, unpriced } };
}

function priceOf(
  prices: readonly PipePrice[],
  { item, diameter_mm }: Pick<Piece, 'item' | 'diameter_mm'>,
  series: PipeSeries | null,
): number | null {
  const found = prices.find(
    (one) =>
      one.item === item && one.diameter_mm === diameter_mm && (one.series === undefined || one.series === series),
  );
  return found?.price ?? null;
}

/** Prices per metre of the pipes of a series, by outer diameter. */
export function pipePricesOf({ prices }: PipePrices, series: PipeSeries): [number, number][] {
  return prices
    .filter((one) => one.item === 'pipe' && (one.series === undefined || one.series === series))
    .toReversed() // the first of a diameter is the last to be set, and counts
    .flatMap(({ diameter_mm, price }): [number, number][] => (diameter_mm === null ? [] : [[diameter_mm, price]]));
}

function unsized({ total_length_m, fittings }: PipeLayout): Piece[] {
  const kinds = fittingKinds.filter((item) => fittings[item] > 0);
  const rows = kinds.map((item) => ({ item, diameter_mm: null, quantity: fittings[item] }));
  return [{ item: 'pipe', diameter_mm: null, quantity: total_length_m }, ...rows];
}

function pipesOf({ pipes }: WaterNetwork): Piece[] {
  return pipes
    .filter(({ isExisting }) => isExisting !== true)
    .map(({ size, length_m }) => ({ item: 'pipe', diameter_mm: size.diameter_mm, quantity: length_m }));
}

/** The header, the drip lines with their emitters, and the fittings that join each line to the header. */
function zonePieces({ header, header_m, laterals, lateral_m, emitters }: PlannedZone): Piece[] {
  return [
    { item: 'pipe', diameter_mm: header.diameter_mm, quantity: header_m },
    { item: 'takeoff', diameter_mm: header.diameter_mm, quantity: laterals.length },
    { item: 'drip_line', diameter_mm: null, quantity: lateral_m },
    { item: 'emitter', diameter_mm: null, quantity: emitters },
  ];
}

/** Bends along the pipes, the fittings where pipes meet, and a valve for each device that takes water. */
function fittingsOf({ pipes }: PipeLayout, network: WaterNetwork): Piece[] {
  const bends = pipes.flatMap(({ bends: { elbow_45, elbow_90 }, line }, at): Piece[] => {
    if (line !== null) return [];
    const diameter_mm = network.pipes[at]?.size.diameter_mm ?? null;
    return [
      { item: 'elbow_45', diameter_mm, quantity: elbow_45 },
      { item: 'elbow_90', diameter_mm, quantity: elbow_90 },
    ];
  });
  return [...bends.filter(({ quantity }) => quantity > 0), ...jointsOf(network)];
}

function jointsOf({ nodes, pipes, sources = 1 }: WaterNetwork): Piece[] {
  const met: WaterPipe[][] = nodes.map(() => []);
  for (const pipe of pipes) for (const node of [pipe.from, pipe.to]) met[node]?.push(pipe);
  return nodes.flatMap(({ station, outlet_mm }, at) =>
    jointAt(met[at] ?? [], { outlet_mm, isTerminal: at < sources || station !== null }),
  );
}

/** The fittings that join the pipes meeting at a place; if all of them are existing pipes, only the outlet. */
function jointAt(
  met: readonly WaterPipe[],
  { outlet_mm, isTerminal }: { outlet_mm: number | undefined; isTerminal: boolean },
): Piece[] {
  const around = met.every(({ isExisting }) => isExisting === true) ? [] : met.map(({ size }) => size.diameter_mm);
  const sizes = outlet_mm === undefined ? around : [...around, outlet_mm];
  const most = Math.max(0, ...sizes);
  const outlets = sizes.length + (outlet_mm === undefined && isTerminal ? 1 : 0);
  const joint: BillItem | null = outlets > 3 ? 'cross' : outlets === 3 ? 'tee' : null;
  const reducers = sizes
    .filter((size) => size < most)
    .map((to_mm): Piece => ({ item: 'reducer', diameter_mm: most, to_mm, quantity: 1 }));
  return [
    ...(joint === null ? [] : [{ item: joint, diameter_mm: most, quantity: 1 }]),
    ...reducers,
    ...(outlet_mm === undefined ? [] : [{ item: 'valve' as const, diameter_mm: outlet_mm, quantity: 1 }]),
  ];
}

const order: readonly BillItem[] = ['pipe', ...fittingKinds, 'reducer', 'valve', 'takeoff', 'drip_line', 'emitter'];

/** One row for each article, pipe first, the largest first. */
function summed(pieces: readonly Piece[]): Piece[] {
  const rows = Map.groupBy(pieces, ({ item, diameter_mm, to_mm }) => `${item} ${diameter_mm} ${to_mm}`);
  return [...rows.values()]
    .flatMap(([first, ...others]) =>
      first === undefined
        ? []
        : { ...first, quantity: others.reduce((sum, { quantity }) => sum + quantity, first.quantity) },
    )
    .toSorted(
      (one, other) =>
        order.indexOf(one.item) - order.indexOf(other.item) ||
        (other.diameter_mm ?? 0) - (one.diameter_mm ?? 0) ||
        (other.to_mm ?? 0) - (one.to_mm ?? 0),
    );
}
