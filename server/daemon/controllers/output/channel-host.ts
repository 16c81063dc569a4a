import type { OutputEvent, OverrideEvent } from '../../../contract/daemon.ts';
import type { OutputChannelState } from '../../../contract/output.ts';
import type { Clock } from '../../clock.ts';
import type { ControlStore } from '../../store/control-store.ts';
import type { Actuating, Reckoning } from '../../drivers/driver.ts';
import type { Result } from '../../drivers/outcomes.ts';
import type { EmergencyStop } from '../../safety/emergency-stop.ts';
import type { SafetyGate, SiteView } from '../../safety/gate.ts';

/** Who gave a command, what was asked for, and what the channel was then. */
export type Commanded = Pick<OutputEvent, 'commanded_by' | 'requested' | 'before'>;

/** The end of a command, or of what the daemon did by itself: then nobody is named. */
export interface Ended extends Result, Commanded {}

/** A manual command that ended, with what came after it. */
export type EndedOverride = Omit<OverrideEvent, 'id' | 'at' | 'kind' | 'output_id'>;

/** What a channel needs around it. */
export interface ChannelHost {
  output_id: string;
  clock: Clock;
  gate: SafetyGate;
  emergency: Pick<EmergencyStop, 'held'>;
  site: SiteView;
  store: ControlStore;
  /** Throws DriverError `unreachable` while the device is not connected. */
  device: () => Actuating & Partial<Reckoning>;
  /** Told of every change of the state, with the result of the command that it ends. */
  changed: (state: OutputChannelState, ended?: Ended) => void;
  /** Told of a manual command that ended without another one. */
  overrideEnded: (ended: EndedOverride) => void;
  log: (line: string) => void;
}
