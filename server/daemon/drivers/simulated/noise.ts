import type { MeasurementName } from '../../../contract/units.ts';
import type { Device } from '../driver.ts';

/**
 * Standard deviation between readings of common greenhouse sensors, in the stored unit: digital thermometers and
 * hygrometers (data sheets of the SHT3x class at low repeatability), infrared CO2 meters, silicon radiometers, cup
 * anemometers.
 */
const usualNoise: Partial<Record<MeasurementName, number>> = {
  temperature: 0.05,
  humidity: 0.3,
  co2: 4,
  light: 1,
  radiation: 1,
  wind_speed: 0.1,
  wind_direction: 2,
};

/** A sensor with typical noise, independent on each channel but from one seed. */
export function withNoise(device: Device, seed: number, measurements: readonly MeasurementName[]): Device {
  const { read } = device;
  if (read === undefined) return device;
  const random = gaussian(seed);
  const noisy = (name: MeasurementName | undefined, value: number): number => {
    const sd = (name && usualNoise[name]) ?? 0;
    const disturbed = value + sd * random();
    if (name === 'wind_direction') return (disturbed + 360) % 360;
    if (name === 'wind_speed') return Math.max(0, disturbed);
    return name === 'humidity' ? Math.min(100, disturbed) : disturbed;
  };
  return {
    ...device,
    read: async (signal) =>
      (await read(signal)).map((one) => ({
        ...one,
        value: one.value === null ? null : noisy(measurements[one.channel], one.value),
      })),
  };
}

/**
 * Normally distributed noise, repeatable for a seed (Box & Muller 1958 over a multiplicative congruential generator,
 * Park & Miller 1988).
 */
export function gaussian(seed: number): () => number {
  let state = seed;
  const uniform = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  // Neighbouring seeds begin alike: discard the first numbers.
  for (let skipped = 0; skipped < 8; skipped += 1) uniform();
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
