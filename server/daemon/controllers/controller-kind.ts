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

/** Settings of a device as its connection needs them. */
interface WiredDevice {
  unique_id: string;
  driver: string;
  options: Record<string, unknown>;
  channels: readonly { channel: number }[];
}

/** What the daemon has for its controllers to work with. The outputs are there first: whatever controls commands them. */
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
  /** What stores series, by the settings. */
  measured: MeasuredDevices;
  /** The setpoints of methods. */
  curves: MethodCurves;
  /** How each controller was when it was told last. */
  told: ToldStatuses;
  /** What actions work with. */
  actions: ActionSite;
  log: (line: string) => void;
  connect: (device: WiredDevice, kind: DeviceKind, signal: AbortSignal) => Promise<Device>;
}

/** All controllers of one kind that are at work. Constructing it does nothing; a stop takes under two seconds. */
export interface Controllers<Settings extends ControllerSettings = ControllerSettings> {
  has(id: string): boolean;
  /** Begins with one that was not running. */
  activate(settings: Settings): void | Promise<void>;
  /** Gives one that runs its changed settings; what it has added up and timers go on. */
  reconfigure(settings: Settings): Promise<void>;
  /** Ends one, if it runs; false where what it drove is not known to be safe. */
  deactivate(id: string): Promise<boolean>;
  statuses(): ControllerStatus[];
  /** What each tells of itself beside its status; absent where there is nothing, or events of its own tell it. */
  live?(): ControlLive[];
  /** Ends all of them with the daemon; false where an output is not where it should be. */
  stop(isSafeForced: boolean): Promise<boolean>;
}

/** How the daemon runs one kind of the contract's list. */
export interface RunningKind<Running extends Controllers = Controllers> {
  word: ControllerWord;
  run(site: ControlSite): Running;
}
