import type { Clock, Timer } from '../../clock.ts';
import type { Device } from '../driver.ts';

/** An actuator that switches off when it is not refreshed within `dead_man_s`. */
export function withDeadMan(device: Device, dead_man_s: number, clock: Clock): Device {
  const never = new AbortController().signal;
  let timer: Timer | undefined;
  const feed = async (): Promise<void> => {
    timer?.cancel();
    timer = clock.after(dead_man_s * 1000, () => void device.write?.(0, 'off', never));
  };
  const close = async (): Promise<void> => {
    timer?.cancel();
    await device.close();
  };
  return { ...device, dead_man: { dead_man_s, feed }, close };
}
