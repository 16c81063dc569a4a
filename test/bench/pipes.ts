import { planPipes, type PlanTask } from '../../server/domain/pipes/plan.ts';
import { median, type Figure } from './figure.ts';

const runs = 3;

/** Numbers from 0 to below 1, the same every time (Park & Miller 1988). */
function sequence(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 16_807) % 2_147_483_647) / 2_147_483_647;
}

/** Devices spread over a square of land, and houses of 8 to 16 m by 20 to 50 m among them. */
function site(devices: number, houses: number, size_m: number): PlanTask {
  const next = sequence(devices);
  const [lat0, lng0] = [37, 127];
  const place = (east_m: number, north_m: number): [number, number] => [
    lng0 + east_m / 88_900,
    lat0 + north_m / 110_980,
  ];
  const stations = Array.from({ length: devices }, (_, index) => {
    const [lng, lat] = place(next() * size_m, next() * size_m);
    return { device_ids: [String(index)], lat, lng };
  });
  const barriers = Array.from({ length: houses }, () => {
    const [x, y, width, length] = [next() * size_m, next() * size_m, 8 + next() * 8, 20 + next() * 30];
    const ring = [place(x, y), place(x + width, y), place(x + width, y + length), place(x, y + length), place(x, y)];
    return { geometry: { type: 'Polygon' as const, coordinates: [ring] }, canEnter: true };
  });
  return { stations, barriers, axis_deg: 90, clearance_m: 0.5 };
}

function time(what: string, task: PlanTask): Figure {
  const times: number[] = [];
  let gap = 0;
  for (let run = 0; run < runs; run += 1) {
    const from = performance.now();
    const { total_length_m, lower_bound_m } = planPipes(task);
    times.push(performance.now() - from);
    gap = total_length_m / lower_bound_m - 1;
  }
  const value = `${Math.round(median(times))} ms, ${(100 * gap).toFixed(1)} % over the lower bound`;
  return { what, value };
}

/** How long laying pipes takes, and how far the length is from what none can be shorter than. */
export function benchPipes(): Figure[] {
  const any = (task: PlanTask): PlanTask => ({ ...task, axis_deg: null });
  const small = site(200, 20, 500);
  const large = site(1000, 100, 1500);
  return [
    time(`pipes of 200 devices among 20 houses along two directions, median of ${runs}`, small),
    time('… in any direction', any(small)),
    time('pipes of 1,000 devices among 100 houses along two directions', large),
    time('… in any direction', any(large)),
  ];
}
