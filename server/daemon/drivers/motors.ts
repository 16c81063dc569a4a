import type { OutputChannel } from '../../contract/output.ts';
import type { Clock } from '../clock.ts';
import type { Device, OutputValue } from './driver.ts';
import { Motor } from './motor.ts';
import { positionPct } from './output-value.ts';

type MotorChannel = Pick<
  OutputChannel,
  'channel' | 'safe_state' | 'motor_close_channel' | 'motor_travel_s' | 'motor_slack_s'
>;

/** All channel numbers that a device's settings use, ascending; a motor uses two. */
export function wiredChannels(channels: readonly (Pick<OutputChannel, 'channel'> & Partial<MotorChannel>)[]): number[] {
  const numbers = channels.flatMap(({ channel, motor_close_channel }) => [channel, motor_close_channel ?? channel]);
  return [...new Set(numbers)].sort((a, b) => a - b);
}

/** The device with each pair of motor relays as one channel that takes a position. */
export function withMotors(device: Device, channels: readonly MotorChannel[], clock: Clock): Device {
  const { write, readState } = device;
  if (write === undefined) return device;
  const relay = write.bind(device);
  const motors = new Map(
    channels.flatMap(({ channel, safe_state, motor_close_channel, motor_travel_s, motor_slack_s }) => {
      if (motor_close_channel === null || motor_travel_s === null) return [];
      const home_pct = safe_state !== 'off' && positionPct(safe_state) >= 50 ? 100 : 0;
      const drive = { travel_s: motor_travel_s, slack_s: motor_slack_s, home_pct } as const;
      return [[channel, new Motor({ out: channel, back: motor_close_channel, drive, relay, clock })] as const];
    }),
  );
  if (motors.size === 0) return device;
  const seen = async (signal: AbortSignal): Promise<ReadonlyMap<number, OutputValue | null>> => {
    const told = new Map([...motors.values()].map((motor) => [motor, motor.told] as const));
    const states = await (readState?.call(device, signal) ?? new Map<number, OutputValue | null>());
    for (const [motor, before] of told) if (motor.told === before) motor.check(states);
    return new Map([...states, ...[...motors].map(([channel, motor]) => [channel, motor.reckoned().stands] as const)]);
  };
  return {
    ...device,
    write: async (channel, value, signal) => {
      const motor = motors.get(channel);
      if (motor === undefined) return relay(channel, value, signal);
      await motor.aim(positionPct(value), signal);
      return { acknowledged: false }; // the relay may say so, the position cannot
    },
    readState: seen,
    reckoned: (channel) => motors.get(channel)?.reckoned(),
    close: async () => {
      await Promise.all([...motors.values()].map((motor) => motor.close()));
      await device.close();
    },
  };
}
