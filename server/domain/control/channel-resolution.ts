import type { InputChannel } from '../../contract/input.ts';
import { unitConversion } from '../../contract/units.ts';

/**
 * The smallest step of a channel's values, in its unit: as somebody said, else the step of the driver's number, scaled
 * and converted. Undefined where that is unknown, as behind an expression or a unit of the site's own.
 */
export function channelResolution(
  channel: Pick<InputChannel, 'resolution' | 'scale' | 'raw_unit' | 'measurement'>,
  ofDriver: number | undefined,
): number | undefined {
  const { resolution, scale, raw_unit, measurement } = channel;
  if (resolution !== null) return resolution;
  if (ofDriver === undefined || scale?.kind === 'expression') return undefined;
  const conversion = raw_unit === null ? { factor: 1 } : unitConversion(measurement, raw_unit, []);
  if (conversion === undefined) return undefined;
  const step = Math.abs(ofDriver * (scale?.factor ?? 1) * conversion.factor);
  return step > 0 ? step : undefined;
}
