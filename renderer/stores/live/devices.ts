import { shallowReactive, shallowRef } from 'vue';
import { deviceEndpoints, type Device } from '../../../server/contract/device.ts';
import { lcdEndpoints, type LcdDisplay } from '../../../server/contract/lcd.ts';
import type { LastValue } from '../../../server/contract/measurement.ts';
import type { OutputEvent } from '../../../server/contract/daemon.ts';
import type { OutputChannelState } from '../../../server/contract/output.ts';
import { sensorTrust } from '../../../server/contract/safety.ts';
import { useCall } from '../../client/client.ts';
import { useSession } from '../session.ts';
import { Told, type Takes } from './told.ts';

/** A reading for display. */
export type LiveValue = Pick<LastValue, 'value' | 'unit' | 'quality' | 'time_ms'>;

/** The state of a channel, with the result of the command that it ended, where an event brought it. */
export type LiveOutput = OutputChannelState & Partial<Pick<OutputEvent, 'outcome' | 'code' | 'message' | 'requested'>>;

const channelKey = (outputId: string, channel: number): string => `${outputId}:${channel}`;

/** What devices measure, do and show. */
export function liveDevices() {
  const call = useCall();
  const session = useSession();
  const devices = shallowRef<Device[]>([]);
  const isRead = shallowRef(false);
  const values = shallowReactive(new Map<string, LiveValue>());
  const outputs = shallowReactive(new Map<string, LiveOutput>());
  /** The age from which values of a measurement are stale, s. */
  const staleAfter = shallowReactive(new Map<string, number>());
  /** The smallest step of a measurement's values, in its unit. */
  const resolutions = shallowReactive(new Map<string, number>());
  const lcds = shallowReactive(new Map<string, LcdDisplay>());
  const told = new Told();

  /** Takes the news of an output's channel. */
  function takeOutput(state: LiveOutput, outputId: string): void {
    const key = channelKey(outputId, state.channel);
    told.hear(key);
    outputs.set(key, state);
  }

  /** Takes the news of a display. */
  function takeLcd(display: LcdDisplay): void {
    told.hear(display.lcd_id);
    lcds.set(display.lcd_id, display);
  }

  /** Takes the device list's values and states, unless an event has already brought newer ones. */
  function takeDevice(device: Device, takes: Takes): void {
    for (const { measurement_id, last, unit, resolution } of device.channels) {
      if (measurement_id === undefined) continue;
      if (resolution === undefined) resolutions.delete(measurement_id);
      else resolutions.set(measurement_id, resolution);
      if (device.stale_after_s !== undefined)
        staleAfter.set(measurement_id, Math.max(sensorTrust.least_s, device.stale_after_s));
      if (last == null) continue;
      const timeMs = Date.parse(last.time);
      if ((values.get(measurement_id)?.time_ms ?? 0) >= timeMs) continue;
      values.set(measurement_id, { value: last.value, unit: unit ?? '', quality: last.quality, time_ms: timeMs });
    }
    for (const state of device.state ?? []) {
      const key = channelKey(device.unique_id, state.channel);
      if (takes(key)) outputs.set(key, state);
    }
  }

  const device = (deviceId: string): Device | undefined =>
    devices.value.find(({ unique_id }) => unique_id === deviceId);

  async function load(): Promise<void> {
    const takes = told.ask();
    devices.value = (await call(deviceEndpoints.devices)).devices;
    isRead.value = true;
    for (const device of devices.value) takeDevice(device, takes);
  }

  async function loadLcds(): Promise<void> {
    if (!session.can('view_stats')) return;
    const takes = told.ask();
    for (const { display } of (await call(lcdEndpoints.list)).lcds)
      if (display !== null && takes(display.lcd_id)) lcds.set(display.lcd_id, display);
  }

  return {
    devices,
    isRead,
    load,
    loadLcds,
    takeValue: (measurementId: string, told: LiveValue): void => void values.set(measurementId, told),
    takeOutput,
    takeLcd,
    value: (measurementId: string): LiveValue | undefined => values.get(measurementId),
    staleAfterS: (measurementId: string): number | undefined => staleAfter.get(measurementId),
    resolution: (measurementId: string): number | undefined => resolutions.get(measurementId),
    output: (outputId: string, channel: number): LiveOutput | undefined => outputs.get(channelKey(outputId, channel)),
    lcd: (lcdId: string): LcdDisplay | undefined => lcds.get(lcdId),
    device,
    channel: (deviceId: string, channel: number): Device['channels'][number] | undefined =>
      device(deviceId)?.channels.find((one) => one.channel === channel),
  };
}
