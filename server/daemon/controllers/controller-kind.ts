import type { ControllerSettings } from '../../contract/controller-kind.ts';
import type { ControllerWord } from '../../contract/controller-kinds.ts';
import type { ControllerStatus, ControlLive } from '../../contract/daemon.ts';
import type { DeviceKind } from '../../contract/drivers/driver.ts';
import type { SampleSink } from '../../measurement/store.ts';
import type { Alarms } from '../alarms/alarms.ts';
import type { Clock } from '../clock.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { ControlStore } from '../store/control-store.ts';
import type { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import type { Device } from '../drivers/driver.ts';
import type { EventRing } from '../events/events.ts';
import type { LiveValues } from '../events/live-values.ts';
import type { Safety } from '../safety/safety.ts';
import type { Watchdog } from '../alarms/watchdog.ts';
import type { MeasurementReader } from '../../measurement/reader.ts';
import type { ActionSite } from './actions/action-list.ts';
import type { MethodCurves } from './method/curves.ts';
import type { Outputs } from './output/outputs.ts';
import type { ToldStatuses } from './told-statuses.ts';

/** A device's settings, as far as its connection needs them. */
interface WiredDevice {
  unique_id: string;
  driver: string;
  options: Record<string, unknown>;
  channels: readonly { channel: number }[];
}

/** What the daemon offers its controllers. Outputs exist before all others, which command them. */
export interface ControlSite {
  clock: Clock;
  configuration: Configuration;
  store: ControlStore;
  writer: SampleSink;
  events: EventRing;
  live: LiveValues;
  watchdog: Watchdog;
  alarms: Alarms;
  safety: Safety;
  outputs: Outputs;
  reader: Pick<MeasurementReader, 'exportPage'>;
  /** Which devices and controllers store series, by the settings. */
  measured: MeasuredDevices;
  /** The setpoints of methods. */
  curves: MethodCurves;
  /** The last reported status of each controller. */
  told: ToldStatuses;
  /** What actions act on. */
  actions: ActionSite;
  log: (line: string) => void;
  connect: (device: WiredDevice, kind: DeviceKind, signal: AbortSignal) => Promise<Device>;
}

/** All running controllers of one kind. Constructing it does nothing; a stop takes under two seconds. */
export interface Controllers<Settings extends ControllerSettings = ControllerSettings> {
  has(id: string): boolean;
  /** Starts a controller that was not running. */
  activate(settings: Settings): void | Promise<void>;
  /** Applies changed settings to a running controller, which keeps its sums and timers. */
  reconfigure(settings: Settings): Promise<void>;
  /** Stops a controller if it runs; false when what it drove is not known to be safe. */
  deactivate(id: string): Promise<boolean>;
  statuses(): ControllerStatus[];
  /** The live values of each beside its status; absent when there are none or events of their own report them. */
  live?(): ControlLive[];
  /** Stops all of them at the end of the daemon; false when an output is not where it should be. */
  stop(isSafeForced: boolean): Promise<boolean>;
}

/** How the daemon runs one kind of the contract's list. */
export interface RunningKind<Running extends Controllers = Controllers> {
  word: ControllerWord;
  run(site: ControlSite): Running;
}
