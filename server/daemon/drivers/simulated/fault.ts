import type { SimulatedFault } from '../../../contract/drivers/simulated.ts';
import { deviceSays } from '../../../contract/device-words.ts';
import type { Clock, Timer } from '../../clock.ts';
import { positionPct } from '../output-value.ts';
import { type Device, type OutputValue, type Reading, DriverError } from '../driver.ts';
import { gaussian } from './noise.ts';

type Fault = SimulatedFault | undefined;

/** Default seed for the noise of a faulty sensor. */
const usualSeed = 20_260_115;
/** Number of steps in which a slow actuator travels from end to end. */
const travelSteps = 20;

/** A sensor with a fault; a misplaced one was placed elsewhere before this. */
export function faultySensor(device: Device, fault: Fault, clock: Clock): Device {
  const { read } = device;
  if (fault === undefined || read === undefined) return device;
  const changing = (change: (value: number, channel: number) => number): Device => ({
    ...device,
    read: async (signal) => changed(await read(signal), change),
  });
  switch (fault.kind) {
    case 'stuck': {
      let first: Promise<readonly Reading[]> | undefined;
      const [random, sd] = [gaussian(fault.seed ?? usualSeed), fault.sd ?? 0];
      const still = async (signal: AbortSignal): Promise<readonly Reading[]> => (first ??= read(signal));
      return { ...device, read: async (signal) => changed(await still(signal), (value) => value + sd * random()) };
    }
    case 'offset':
      return changing((value) => value + fault.by);
    case 'gain':
      return changing((value) => value * fault.factor);
    case 'drift': {
      let begun: number | undefined;
      return changing((value) => {
        begun ??= clock.elapsed();
        return value + (fault.per_h * (clock.elapsed() - begun)) / 3_600_000;
      });
    }
    case 'noisy': {
      const random = gaussian(fault.seed ?? usualSeed);
      return changing((value) => value + fault.sd * random());
    }
    case 'slow':
      return changing(follower(fault.lag_s, clock));
    case 'silent':
      return { ...device, read: silent };
    default:
      return device;
  }
}

/** The output of a first-order sensor, by channel; starts at the true value. */
function follower(lag_s: number, clock: Clock): (value: number, channel: number) => number {
  const said = new Map<number, { value: number; atMs: number }>();
  return (value, channel) => {
    const before = said.get(channel) ?? { value, atMs: clock.elapsed() };
    const share = 1 - Math.exp(-(clock.elapsed() - before.atMs) / (1000 * lag_s));
    const lagging = before.value + share * (value - before.value);
    said.set(channel, { value: lagging, atMs: clock.elapsed() });
    return lagging;
  };
}

/** An actuator with a fault; one that moves another part was wired so before this. */
export async function faultyActuator(device: Device, fault: Fault, clock: Clock): Promise<Device> {
  switch (fault?.kind) {
    case 'no_effect':
      return moving(device, async () => undefined);
    case 'weak':
      return moving(device, (told) => move(device, fault.share * positionPct(told)));
    case 'latched': {
      let isOn = false;
      return moving(device, async (told) => {
        isOn ||= positionPct(told) > 0;
        if (!isOn || positionPct(told) > 0) await move(device, positionPct(told));
      });
    }
    case 'reversed':
      await move(device, 100);
      return moving(device, (told) => move(device, 100 - positionPct(told)));
    case 'slow':
      return travelling(device, fault.lag_s, clock);
    case 'refuses':
      return { ...device, write: async () => Promise.reject(new DriverError('refused', deviceSays('refuses_all'))) };
    case 'silent':
      return {
        close: () => device.close(),
        write: silent,
        readState: silent,
        ...(device.dead_man && { dead_man: { ...device.dead_man, feed: silent } }),
      };
    default:
      return device;
  }
}

/** Reports the commanded position, but does what `act` does. */
function moving(device: Device, act: (told: OutputValue) => Promise<unknown>): Device {
  let present: OutputValue = 'off';
  return {
    ...device,
    write: async (_channel, value) => {
      present = value;
      await act(value);
      return { acknowledged: true };
    },
    readState: async () => new Map([[0, present]]),
  };
}

function travelling(device: Device, lag_s: number, clock: Clock): Device {
  let [position, target] = [0, 0];
  let timer: Timer | undefined;
  const step = (): void => {
    timer = undefined;
    const away = target - position;
    if (away === 0) return;
    position += Math.sign(away) * Math.min(Math.abs(away), 100 / travelSteps);
    void move(device, position);
    timer = clock.after((1000 * lag_s) / travelSteps, step);
  };
  const slow = moving(device, async (told) => {
    target = positionPct(told);
    timer ??= clock.after((1000 * lag_s) / travelSteps, step);
  });
  const close = async (): Promise<void> => {
    timer?.cancel();
    await device.close();
  };
  return { ...slow, close };
}

async function move(device: Device, position_pct: number): Promise<void> {
  await device.write?.(0, position_pct, new AbortController().signal);
}

async function silent(): Promise<never> {
  throw new DriverError('timed_out', deviceSays('never_answers'));
}

function changed(readings: readonly Reading[], change: (value: number, channel: number) => number): Reading[] {
  return readings.map((one) => ({ ...one, value: one.value === null ? null : change(one.value, one.channel) }));
}
