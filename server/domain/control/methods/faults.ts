import type { Method } from '../../../contract/method.ts';
import { DEEPEST_CASCADE, type MethodSurroundings } from './method.ts';
import { crossingDay } from './sun.ts';

/** What is wrong with one field. */
export interface MethodFault {
  path: string;
  message: string;
}

/** The first fault that the schema alone cannot see; undefined where there is none. `year` is the one whose days are looked through. */
export function methodFault(method: Method, year: number, surroundings: MethodSurroundings): MethodFault | undefined {
  switch (method.kind) {
    case 'date':
      return outOfOrder(method.points.map(({ at }) => Date.parse(at)));
    case 'duration':
      return outOfOrder(method.points.map(({ after_s }) => after_s));
    case 'daily':
    case 'sine':
    case 'bezier':
      return outOfOrder(method.points.map(({ at }) => Number(at.replace(':', ''))));
    case 'sun':
      return sunFault(method.points, year, surroundings);
    case 'cascade':
      return cascadeFault(method, surroundings);
  }
}

function outOfOrder(times: readonly number[]): MethodFault | undefined {
  const at = times.findIndex((time, index) => index > 0 && time <= (times[index - 1] ?? -Infinity));
  return at === -1 ? undefined : { path: `points[${at}]`, message: 'must come after the point before it' };
}

function sunFault(
  points: Extract<Method, { kind: 'sun' }>['points'],
  year: number,
  { place }: MethodSurroundings,
): MethodFault | undefined {
  const wrong = points.findIndex(({ event, at }) => (event === 'clock') !== (at !== undefined));
  if (wrong !== -1) return { path: `points[${wrong}].at`, message: 'is needed for the event clock, and for no other' };
  const day = crossingDay(points, year, place);
  return day === undefined
    ? undefined
    : { path: 'points', message: `would not follow each other in this order on ${day}` };
}

function cascadeFault(
  method: Extract<Method, { kind: 'cascade' }>,
  surroundings: MethodSurroundings,
): MethodFault | undefined {
  for (const [index, { method_id }] of method.points.entries()) {
    const path = `points[${index}].method_id`;
    const found = surroundings.find(method_id.toLowerCase());
    if (found === undefined) return { path, message: 'is no method that exists' };
    if (depthOf(found, surroundings, new Set([method.unique_id])) > DEEPEST_CASCADE - 1)
      return { path, message: `leads back to this method, or is more than ${DEEPEST_CASCADE} cascades deep` };
    const isFactor = method.combine === 'percent' && index > 0;
    const unit = isFactor ? '%' : method.unit;
    if (found.unit !== unit) return { path, message: `has the unit ${found.unit} where ${unit} is needed` };
  }
  return undefined;
}

/** How many cascades stand in each other; Infinity where one stands in itself. */
function depthOf(method: Method, surroundings: MethodSurroundings, above: ReadonlySet<string>): number {
  if (above.has(method.unique_id)) return Infinity;
  if (method.kind !== 'cascade') return 0;
  if (above.size > DEEPEST_CASCADE) return Infinity;
  const within = new Set(above).add(method.unique_id);
  const depths = method.points.map(({ method_id }) => {
    const found = surroundings.find(method_id.toLowerCase());
    return found === undefined ? 0 : depthOf(found, surroundings, within);
  });
  return 1 + Math.max(...depths);
}
