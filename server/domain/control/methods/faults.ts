import type { ControllerFault } from '../../../contract/controller-kind.ts';
import type { Method } from '../../../contract/method.ts';
import { deepestCascade, type MethodSurroundings } from './method.ts';
import { crossingDay } from './sun.ts';
import { why } from '../../../contract/refusal-reason.ts';

/**
 * The first fault of a method that it does not show by itself; undefined when there is none. `year` is the one whose
 * days are examined.
 */
export function methodFault(
  method: Method,
  year: number,
  surroundings: MethodSurroundings,
): ControllerFault | undefined {
  if (method.kind === 'cascade') return cascadeFault(method, surroundings);
  if (method.kind !== 'sun') return undefined;
  const day = crossingDay(method.points, year, surroundings.place);
  return day === undefined ? undefined : { path: 'points', ...why('points_cross', { day }) };
}

function cascadeFault(
  method: Extract<Method, { kind: 'cascade' }>,
  surroundings: MethodSurroundings,
): ControllerFault | undefined {
  for (const [index, { method_id }] of method.points.entries()) {
    const path = `points[${index}].method_id`;
    const found = surroundings.find(method_id);
    if (found === undefined) return { path, ...why('no_such_controller', { noun: 'method' }) };
    if (depthOf(found, surroundings, new Set([method.unique_id])) > deepestCascade - 1)
      return { path, ...why('method_circle', { most: deepestCascade }) };
    const isFactor = method.combine === 'percent' && index > 0;
    const unit = isFactor ? '%' : method.unit;
    if (found.unit !== unit) return { path, ...why('method_unit', { found: found.unit, unit }) };
  }
  return undefined;
}

/** How deeply cascades are nested; Infinity for one that contains itself. */
function depthOf(method: Method, surroundings: MethodSurroundings, above: ReadonlySet<string>): number {
  if (above.has(method.unique_id)) return Infinity;
  if (method.kind !== 'cascade') return 0;
  if (above.size > deepestCascade) return Infinity;
  const within = new Set(above).add(method.unique_id);
  const depths = method.points.map(({ method_id }) => {
    const found = surroundings.find(method_id);
    return found === undefined ? 0 : depthOf(found, surroundings, within);
  });
  return 1 + Math.max(...depths);
}
