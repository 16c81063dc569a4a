import { createEventHook, useDebounceFn, useEventListener, useTimeoutFn } from '@vueuse/core';
import { defineStore } from 'pinia';
import { computed, getCurrentScope, shallowRef, watch } from 'vue';
import { authEndpoints } from '../../server/contract/auth.ts';
import type { CommissioningEvent } from '../../server/contract/daemon.ts';
import type { FacilityEvent, MapEvent, PageEvent } from '../../server/contract/event.ts';
import { isApiError, isRefusal } from '../client/api-error.ts';
import { useClient } from '../client/client.ts';
import { EventStream, type StreamState } from '../client/events.ts';
import { liveAlarms } from './live/alarms.ts';
import { liveControl } from './live/control.ts';
import { liveDaemon } from './live/daemon.ts';
import { liveDevices } from './live/devices.ts';
import { useSession } from './session.ts';

/** One action may change many devices. */
const settleMs = 300;
/** A script may store devices for minutes, each soon after the last. */
const longestSettleMs = 2_000;
/** After what time a failed read is tried again. */
const againMs = 3_000;

/** Everything live: last values, output states, controllers, and whether they are current. */
export const useLive = defineStore('live', () => {
  const session = useSession();
  const client = useClient();
  const [alarms, control, daemon, devices] = [liveAlarms(), liveControl(), liveDaemon(), liveDevices()];
  const stream = shallowRef<StreamState>('closed');
  /** Fires when a user has changed a map or facility. */
  const siteChange = createEventHook<MapEvent | FacilityEvent>();
  /** Fires when settings of devices were stored, after the devices were read again. */
  const deviceChange = createEventHook<void>();
  /** Fires when a commissioning check went on. */
  const checkChange = createEventHook<CommissioningEvent>();

  const missed = new Set<() => Promise<void>>();
  const scope = getCurrentScope();
  const readAgain = useTimeoutFn(() => void read(...missed), againMs, { immediate: false });

  /** Waits for all. What fails is read again, for the stream tells changes alone; what is refused is not. */
  async function read(...reads: (() => Promise<void>)[]): Promise<void> {
    await Promise.all(reads.map(readOne));
  }

  async function readOne(one: () => Promise<void>): Promise<void> {
    missed.delete(one);
    try {
      await one();
    } catch (error) {
      if (!isApiError(error)) throw error;
      if (error.status === 401 || isRefusal(error)) return;
      missed.add(one);
      if (scope?.active === true) readAgain.start();
    }
  }

  /** A stream may end with its session, of which the client hears by this answer. */
  const askForSession = async (): Promise<void> => void (await client.call(authEndpoints.session));

  const loadWarnings = (): Promise<void> => read(alarms.load, alarms.loadEmergency);

  const devicesChanged = useDebounceFn(
    async () => {
      await read(devices.load);
      await deviceChange.trigger();
    },
    settleMs,
    { maxWait: longestSettleMs },
  );

  /** Handles events for all pages; kinds for a single page are handled there. */
  function receive(event: PageEvent): void {
    if (event.kind === 'measurement') devices.takeValue(event.measurement_id, event);
    else if (event.kind === 'output') devices.takeOutput(event, event.output_id);
    else if (event.kind === 'controller') daemon.takeController(event);
    else if (event.kind === 'alarm') alarms.take(event);
    else if (event.kind === 'emergency_stop') alarms.takeEmergency(event);
    else if (event.kind === 'map' || event.kind === 'facility') void siteChange.trigger(event);
    else if (event.kind === 'device') void devicesChanged();
    else if (event.kind === 'commissioning') void checkChange.trigger(event);
    else if (event.kind === 'control') control.take(event.controller_id, event.live);
    else if (event.kind === 'lcd') devices.takeLcd(event);
    else if (event.kind === 'daemon') {
      void loadWarnings();
      daemon.take(event.state === 'started');
    }
  }

  async function reload(): Promise<void> {
    await Promise.all([read(devices.load, devices.loadLcds, daemon.load), loadWarnings()]);
  }

  const events = new EventStream(
    {
      event: receive,
      reset: () => void reload(),
      state: (state) => {
        stream.value = state;
      },
      ended: () => void read(askForSession),
    },
    (address) => new EventSource(address),
  );

  useEventListener('online', () => events.retry());

  const isCurrent = computed(() => stream.value === 'open' && daemon.state.value !== 'unreachable');
  const currentUntil_ms = shallowRef<number | null>(null);
  watch(isCurrent, (is) => (currentUntil_ms.value = is ? null : client.clock.now()));

  return {
    devices: devices.devices,
    /** Whether that list was ever read: until then, no device counts as gone. */
    areDevicesRead: devices.isRead,
    controllers: daemon.controllers,
    stream,
    daemon: daemon.state,
    stopped: daemon.stopped,
    /** Reloads the state of the control service. */
    loadDaemon: daemon.load,
    /** The emergency stop as last reported; null when unknown. */
    emergency: alarms.emergency,
    /** When it was seen to be released, epoch ms of the server; null while it holds, or if that was not seen. */
    releasedAt_ms: alarms.releasedAt_ms,
    /** Takes the answer to a command on it. */
    takeEmergency: alarms.takeEmergencyAnswer,
    /** The last restart of the control service, until dismissed; users must learn why outputs went safe. */
    restart: daemon.restart,
    dismissRestart: daemon.dismissRestart,
    /** Whether the alarms are those of now: until then, none counts as no alarm. */
    areAlarmsKnown: computed(() => isCurrent.value && alarms.isRead.value),
    /** Most urgent first. */
    alarms: alarms.byUrgency,
    /** Changes whenever an alarm comes, goes or is in another state. */
    alarmPulse: alarms.pulse,
    /** Alarms that no user has seen yet. */
    unseenAlarms: alarms.unseen,
    /** Takes the alarms in the answer to a command on them. */
    takeAlarms: alarms.takeAnswer,
    /** Calls back when a map or facility was changed, here or elsewhere. */
    onSiteChange: siteChange.on,
    /** Calls back soon after settings of devices were stored, here or elsewhere. */
    onDeviceChange: deviceChange.on,
    /** Calls back when a commissioning check began, went on or ended, here or elsewhere. */
    onCheckChange: checkChange.on,
    isCurrent,
    /** Since when what is shown may be old, epoch ms of the server; null while it is current, or never was. */
    currentUntil_ms,
    /** Cut off, nothing shown is of now; while the page opens it has not yet been heard of. */
    isOld: computed(() => !isCurrent.value && stream.value !== 'connecting' && stream.value !== 'closed'),
    /** Last value of a measurement; undefined when unknown. */
    value: devices.value,
    /** The age from which its values are stale, s; undefined when unknown. */
    staleAfterS: devices.staleAfterS,
    /** The smallest step of its values, in its unit; undefined when unknown. */
    resolution: devices.resolution,
    /** State of an output's channel; undefined when unknown. */
    output: devices.output,
    /** What a display shows; undefined when unknown. */
    lcd: devices.lcd,
    device: devices.device,
    /** What a channel is; undefined until the devices are read. */
    channel: devices.channel,
    /** Live state of a controller; undefined when unknown. */
    control: control.of,
    /** Takes the states in an answer about controllers. */
    takeControl: control.takeAnswer,
    /** Reloads devices, values and states, e.g. after devices were added. */
    reload,
    /** Follows the live stream if the user may see it; otherwise reads once. */
    start: (): void => {
      // The stream loads everything when it opens.
      if (session.can('view_stats') && !client.isRecalled.value) return events.start();
      // Opened without the server: what was stored is shown, and nothing of it is present.
      if (client.isRecalled.value) stream.value = 'lost';
      void reload();
    },
    /** What stays shown of an expired session is no longer live. */
    stop: (): void => {
      events.stop();
      readAgain.stop();
      if (session.hasEnded) stream.value = 'lost';
    },
  };
});
