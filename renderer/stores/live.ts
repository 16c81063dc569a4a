import { createEventHook, useDebounceFn, useLocalStorage } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import { alarmEndpoints, byUrgency, needsSomebody } from '../../server/contract/alarm.ts';
import type { Alarm } from '../../server/contract/alarm.ts';
import { daemonEndpoints } from '../../server/contract/daemon.ts';
import type { ControllerStatus, DaemonEnd, DaemonView } from '../../server/contract/daemon.ts';
import type { FacilityEvent, MapEvent, PageEvent } from '../../server/contract/event.ts';
import { deviceEndpoints } from '../../server/contract/device.ts';
import type { Device } from '../../server/contract/device.ts';
import { lcdEndpoints } from '../../server/contract/lcd.ts';
import type { LcdDisplay } from '../../server/contract/lcd.ts';
import type { LastValue } from '../../server/contract/measurement.ts';
import { safetyEndpoints } from '../../server/contract/safety.ts';
import type { EmergencyStop } from '../../server/contract/safety.ts';
import type { OutputChannelState } from '../../server/contract/output.ts';
import { isApiError } from '../client/api-error.ts';
import { useCall } from '../client/client.ts';
import { EventStream } from '../client/events.ts';
import type { StreamState } from '../client/events.ts';
import { useSession } from './session.ts';

/** A reading as screens show it. `quality` is good where only the device list has told us so far. */
export type LiveValue = Pick<LastValue, 'value' | 'unit' | 'quality' | 'time_ms'>;

export interface DaemonRestart {
  at: string;
  reason: string;
}

/** How long a control service may take to end. */
const goneMs = 3_000;

const channelKey = (outputId: string, channel: number): string => `${outputId.toLowerCase()}:${channel}`;

/** Everything live: last values, output states, controllers, and whether they can be trusted to be current. */
export const useLive = defineStore('live', () => {
  const call = useCall();
  const session = useSession();
  const values = shallowReactive(new Map<string, LiveValue>());
  const outputs = shallowReactive(new Map<string, OutputChannelState>());
  const controllers = shallowReactive(new Map<string, ControllerStatus>());
  const alarms = shallowReactive(new Map<string, Alarm>());
  const lcds = shallowReactive(new Map<string, LcdDisplay>());
  /** What controllers tell of themselves, as their kinds say. */
  const control = shallowReactive(new Map<string, object>());
  const devices = shallowRef<Device[]>([]);
  const emergency = shallowRef<Omit<EmergencyStop, 'outputs'> | null>(null);
  const stream = shallowRef<StreamState>('closed');
  const daemon = shallowRef<DaemonView['state'] | 'unknown'>('unknown');
  /** The control service was told to stop, by whom where that is known; null while it was not. */
  const stopped = shallowRef<{ by: string | null } | null>(null);
  const lastRestart = shallowRef<DaemonRestart | null>(null);
  /** Maps and facilities that somebody changed. */
  const siteChange = createEventHook<MapEvent | FacilityEvent>();
  /** Time of the restart that was read and put away on this device. */
  const restartRead = useLocalStorage('orangery.restart-read', '');

  /** What everybody sees; kinds that concern one screen are that screen's. */
  function receive(event: PageEvent): void {
    if (event.kind === 'measurement') values.set(event.measurement_id.toLowerCase(), event);
    else if (event.kind === 'output') outputs.set(channelKey(event.output_id, event.channel), event);
    else if (event.kind === 'controller') controllers.set(event.controller_id.toLowerCase(), event);
    else if (event.kind === 'alarm') takeAlarm(event);
    else if (event.kind === 'emergency_stop') emergency.value = event;
    else if (event.kind === 'map' || event.kind === 'facility') void siteChange.trigger(event);
    else if (event.kind === 'control') control.set(event.controller_id.toLowerCase(), event.live);
    else if (event.kind === 'lcd') lcds.set(event.lcd_id, event);
    else if (event.kind === 'daemon') {
      void loadAlarms();
      void loadEmergency();
      daemon.value = event.state === 'started' ? 'up' : 'unreachable';
      if (event.state === 'started') void loadDaemon();
      else void loadDaemonLater();
    }
  }

  function takeAlarm(alarm: Alarm): void {
    if (alarm.state === 'normal') alarms.delete(alarm.alarm_id);
    else alarms.set(alarm.alarm_id, alarm);
  }

  async function loadAlarms(): Promise<void> {
    if (!session.can('view_stats')) return;
    try {
      const known = (await call(alarmEndpoints.list)).alarms;
      alarms.clear();
      for (const alarm of known) takeAlarm(alarm);
    } catch (error) {
      if (!isApiError(error)) throw error;
    }
  }

  /** Takes what the device list knows, unless an event has already told something newer. */
  function takeDevice(device: Device): void {
    for (const { measurement_id, last, unit } of device.channels) {
      if (measurement_id === undefined || last == null) continue;
      const time_ms = Date.parse(last.time);
      const key = measurement_id.toLowerCase();
      if ((values.get(key)?.time_ms ?? 0) >= time_ms) continue;
      values.set(key, { value: last.value, unit: unit ?? '', quality: 'good', time_ms });
    }
    for (const state of device.state ?? []) outputs.set(channelKey(device.unique_id, state.channel), state);
  }

  async function loadDevices(): Promise<void> {
    devices.value = (await call(deviceEndpoints.devices)).devices;
    for (const device of devices.value) takeDevice(device);
  }

  async function loadLcds(): Promise<void> {
    if (!session.can('view_stats')) return;
    for (const { display } of (await call(lcdEndpoints.list)).lcds)
      if (display !== null) lcds.set(display.lcd_id, display);
  }

  async function loadEmergency(): Promise<void> {
    if (!session.can('view_stats')) return;
    try {
      emergency.value = await call(safetyEndpoints.getEmergencyStop);
    } catch (error) {
      if (!isApiError(error)) throw error;
    }
  }

  /** Whether it was stopped is known once its process has gone. */
  const loadDaemonLater = useDebounceFn(() => void loadDaemon(), goneMs);

  function takeEnd({ state, is_stopped, stopped_by }: DaemonEnd): void {
    daemon.value = state;
    stopped.value = is_stopped ? { by: stopped_by } : null;
  }

  function takeView(view: DaemonView): void {
    takeEnd(view);
    lastRestart.value = view.last_restart;
    for (const status of view.controllers) controllers.set(status.controller_id.toLowerCase(), status);
  }

  async function loadDaemon(): Promise<void> {
    try {
      if (session.can('view_logs')) takeView(await call(daemonEndpoints.get));
      else if (session.can('edit_controllers')) takeEnd(await call(daemonEndpoints.end));
    } catch (error) {
      if (!isApiError(error)) throw error;
    }
  }

  async function reload(): Promise<void> {
    await Promise.all([loadDevices(), loadLcds(), loadDaemon(), loadAlarms(), loadEmergency()]).catch(
      (error: unknown) => {
        // The stream's own state already says that the server is away; the next opening reads again.
        if (!isApiError(error)) throw error;
      },
    );
  }

  const events = new EventStream(
    {
      event: receive,
      reset: () => void reload(),
      state: (state) => {
        stream.value = state;
      },
    },
    (address) => new EventSource(address),
  );

  return {
    devices,
    controllers,
    stream,
    daemon,
    stopped,
    /** Takes what the control service was said to be. */
    loadDaemon,
    /** The emergency stop as last told; null while nobody told. */
    emergency,
    /** The last restart of the control service, until it was put away; people must learn why outputs went safe. */
    restart: computed(() => (lastRestart.value?.at === restartRead.value ? null : lastRestart.value)),
    /** The most urgent first. */
    alarms: computed(() => [...alarms.values()].sort(byUrgency)),
    /** Those that nobody has seen yet. */
    unseenAlarms: computed(() => [...alarms.values()].filter(needsSomebody).sort(byUrgency)),
    /** Calls back when a map or facility was changed, here or elsewhere. */
    onSiteChange: siteChange.on,
    /** Takes what a command on an alarm was answered. */
    takeAlarm,
    isCurrent: computed(() => stream.value === 'open' && daemon.value !== 'unreachable'),
    /** Last value of a measurement, undefined while none is known. */
    value: (measurementId: string): LiveValue | undefined => values.get(measurementId.toLowerCase()),
    /** State of an output's channel, undefined while none is known. */
    output: (outputId: string, channel: number): OutputChannelState | undefined =>
      outputs.get(channelKey(outputId, channel)),
    /** What a display shows, undefined while that is not known. */
    lcd: (lcdId: string): LcdDisplay | undefined => lcds.get(lcdId.toLowerCase()),
    /** What a controller tells of itself, undefined while nobody knows. */
    control: (id: string): object | undefined => control.get(id.toLowerCase()),
    /** Takes what a controller was said to be. */
    takeControl: (id: string, told: object): void => void control.set(id.toLowerCase(), told),
    device: (deviceId: string): Device | undefined =>
      devices.value.find((device) => device.unique_id.toLowerCase() === deviceId.toLowerCase()),
    /** Reads devices, values and states again, e.g. after devices were added. */
    reload,
    /** Follows the live stream where the user may see it; otherwise reads once. */
    start: (): void => {
      if (session.can('view_stats')) events.start();
      else void reload();
    },
    stop: (): void => events.stop(),
    dismissRestart: (): void => {
      restartRead.value = lastRestart.value?.at ?? '';
    },
  };
});
