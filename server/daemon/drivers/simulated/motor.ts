import { deviceSays } from '../../../contract/device-words.ts';
import type { SimulatedPart } from '../../../contract/drivers/simulated.ts';
import type { Clock, Timer } from '../../clock.ts';
import { type Device, type OutputValue, DriverError } from '../driver.ts';
import type { SimulatedHouse } from './house.ts';

/** How often a running motor updates its position in the model, ms. */
const stepMs = 1000;

interface SimulatedMotorOptions {
  house: SimulatedHouse;
  part: SimulatedPart;
  /** Travel time from end to end, s. */
  travel_s: number;
  clock: Clock;
}

/**
 * A motor with a limit switch at each end: relay 0 opens, relay 1 closes. It refuses both at once, which would damage a
 * real one.
 */
export function simulatedMotor(
  { house, part, travel_s, clock }: SimulatedMotorOptions,
  close: Device['close'],
): Device {
  const relays: OutputValue[] = ['off', 'off'];
  let [position, atMs]: [number, number] = [0, clock.elapsed()];
  let timer: Timer | undefined;
  const advance = (): void => {
    const ran_s = (clock.elapsed() - atMs) / 1000;
    const speed = Number(relays[0] === 'on') - Number(relays[1] === 'on');
    position = Math.min(1, Math.max(0, position + (speed * ran_s) / travel_s));
    atMs = clock.elapsed();
    house.set(part, position);
    timer?.cancel();
    timer = relays.includes('on') ? clock.after(stepMs, advance) : undefined;
  };
  return {
    write: async (channel, value) => {
      if (value === 'on' && relays[1 - channel] === 'on') throw new DriverError('refused', deviceSays('both_relays'));
      advance();
      relays[channel] = value;
      advance();
      return { acknowledged: true };
    },
    readState: async () => new Map(relays.map((value, channel) => [channel, value])),
    close: async () => {
      timer?.cancel();
      await close();
    },
  };
}
