import { createEventHook, useEventListener } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, shallowReactive, shallowRef } from 'vue';
import type { FacilityEvent, MapEvent, PageEvent } from '../../server/contract/event.ts';
import { isApiError } from '../client/api-error.ts';
import { useClient } from '../client/client.ts';
import { EventStream, type StreamState } from '../client/events.ts';
import { liveAlarms } from './live/alarms.ts';
import { liveDaemon } from './live/daemon.ts';
import { liveDevices } from './live/devices.ts';
import { useSession } from './session.ts';

/** Everything live: last values, output states, controllers, and whether they can be trusted to be current. */
export const useLive = defineStore('live', () => {
  const session = useSession();
  const client = useClient();
  const [alarms, daemon, devices] = [liveAlarms(), liveDaemon(), liveDevices()];
  /** What controllers tell of themselves, as their kinds say. */
  const control = shallowReactive(new Map<string, object>());
  const stream = shallowRef<StreamState>('closed');
  /** Maps and facilities that somebody changed. */
  const siteChange = createEventHook<MapEvent | FacilityEvent>();

  const loadWarnings = (): Promise<unknown> => read(alarms.load(), alarms.loadEmergency());

  /** What everybody sees; kinds that concern one screen are that screen's. */
  function receive(event: PageEvent): void {
    if (event.kind === 'measurement') devices.takeValue(event.measurement_id, event);
    else if (event.kind === 'output') devices.takeOutput(event, event.output_id);
    else if (event.kind === 'controller') daemon.takeController(event);
    else if (event.kind === 'alarm') alarms.take(event);
    else if (event.kind === 'emergency_stop') alarms.emergency.value = event;
    else if (event.kind === 'map' || event.kind === 'facility') void siteChange.trigger(event);
    else if (event.kind === 'control') control.set(event.controller_id, event.live);
    else if (event.kind === 'lcd') devices.takeLcd(event);
    else if (event.kind === 'daemon') {
      void loadWarnings();
      daemon.take(event.state === 'started');
    }
  }

  async function reload(): Promise<void> {
    await Promise.all([read(devices.load(), devices.loadLcds(), daemon.load()), loadWarnings()]);
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

  useEventListener('online', () => events.retry());

  return {
    devices: devices.devices,
    /** Whether that list was ever read: before, no device is known to be gone. */
    areDevicesRead: devices.isRead,
    controllers: daemon.controllers,
    stream,
    daemon: daemon.state,
    stopped: daemon.stopped,
    /** Takes what the control service was said to be. */
    loadDaemon: daemon.load,
    /** The emergency stop as last told; null while nobody told. */
    emergency: alarms.emergency,
    /** The last restart of the control service, until it was put away; people must learn why outputs went safe. */
    restart: daemon.restart,
    dismissRestart: daemon.dismissRestart,
    /** The most urgent first. */
    alarms: alarms.byUrgency,
    /** Those that nobody has seen yet. */
    unseenAlarms: alarms.unseen,
    /** Takes what a command on an alarm was answered. */
    takeAlarm: alarms.take,
    /** Calls back when a map or facility was changed, here or elsewhere. */
    onSiteChange: siteChange.on,
    isCurrent: computed(() => stream.value === 'open' && daemon.state.value !== 'unreachable'),
    /** Last value of a measurement, undefined while none is known. */
    value: devices.value,
    /** State of an output's channel, undefined while none is known. */
    output: devices.output,
    /** What a display shows, undefined while that is not known. */
    lcd: devices.lcd,
    device: devices.device,
    /** What a controller tells of itself, undefined while nobody knows. */
    control: (id: string): object | undefined => control.get(id),
    /** Takes what a controller was said to be. */
    takeControl: (id: string, told: object): void => void control.set(id, told),
    /** Reads devices, values and states again, e.g. after devices were added. */
    reload,
    /** Follows the live stream where the user may see it; otherwise reads once. */
    start: (): void => {
      const isFollowed = session.can('view_stats') && !client.isRecalled.value;
      // The stream, when it opens, has all read; without the server there is what was kept.
      if (isFollowed) events.start();
      else void reload();
    },
    stop: (): void => events.stop(),
  };
});

/** Waits for all. The stream's own state already says when the server is away, and its next opening reads again. */
async function read(...reads: Promise<void>[]): Promise<void> {
  await Promise.all(reads).catch((error: unknown) => {
    if (!isApiError(error)) throw error;
  });
}
