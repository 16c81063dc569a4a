import type { SimulatedFault } from '../../../contract/driver-options.ts';
import type { Device, OutputValue, Reading } from '../driver.ts';
import { DriverError } from '../driver.ts';

type Fault = SimulatedFault | undefined;

/** A sensor with something wrong with it; one that hangs elsewhere was put there before. */
export function faultySensor(device: Device, fault: Fault): Device {
  const { read } = device;
  if (fault === undefined || read === undefined) return device;
  switch (fault.kind) {
    case 'stuck': {
      let first: Promise<readonly Reading[]> | undefined;
      return { ...device, read: (signal) => (first ??= read(signal)) };
    }
    case 'offset':
      return { ...device, read: async (signal) => changed(await read(signal), (value) => value + fault.by) };
    case 'noisy': {
      const random = gaussian();
      return { ...device, read: async (signal) => changed(await read(signal), (value) => value + fault.sd * random()) };
    }
    case 'silent':
      return { ...device, read: silent };
    default:
      return device;
  }
}

/** An actuator with something wrong with it; one that moves another part was wired so before. */
export function faultyActuator(device: Device, fault: Fault): Device {
  switch (fault?.kind) {
    case 'no_effect': {
      let present: OutputValue = 'off';
      return {
        ...device,
        write: async (_channel, value) => {
          present = value;
          return { acknowledged: true };
        },
        readState: async () => new Map([[0, present]]),
      };
    }
    case 'refuses':
      return { ...device, write: async () => Promise.reject(new DriverError('refused', 'it refuses every command')) };
    case 'silent':
      return {
        ...{ close: () => device.close(), write: silent, readState: silent },
        ...(device.dead_man && { dead_man: { ...device.dead_man, feed: silent } }),
      };
    default:
      return device;
  }
}

async function silent(): Promise<never> {
  throw new DriverError('timed_out', 'it never answers');
}

function changed(readings: readonly Reading[], change: (value: number) => number): Reading[] {
  return readings.map((one) => ({ ...one, value: one.value === null ? null : change(one.value) }));
}

/** The same noise at every start (Box & Muller 1958 over a multiplicative congruential generator, Park & Miller 1988). */
function gaussian(): () => number {
  let state = 20_260_115;
  const uniform = (): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  return () => Math.sqrt(-2 * Math.log(uniform())) * Math.cos(2 * Math.PI * uniform());
}
