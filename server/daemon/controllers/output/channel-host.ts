import type { OutputEvent, OverrideEvent } from '../../../contract/daemon.ts';
import type { OutputChannelState } from '../../../contract/output.ts';
import type { Clock } from '../../clock.ts';
import type { ControlStore } from '../../store/control-store.ts';
import type { Actuating, Reckoning } from '../../drivers/driver.ts';
import type { Result } from '../../drivers/outcomes.ts';
import type { EmergencyStop } from '../../safety/emergency-stop.ts';
import type { SafetyGate, SiteView } from '../../safety/gate.ts';

/** Who commanded what, and the state of the channel at that moment. */
export type Commanded = Pick<OutputEvent, 'commanded_by' | 'requested' | 'before'>;

/** The end of a command, or of something that the daemon did by itself and that has no actor. */
export interface Ended extends Result, Commanded {}

/** A manual command that ended, and what followed it. */
export type EndedOverride = Omit<OverrideEvent, 'id' | 'at' | 'kind' | 'output_id'>;

/** What a channel needs from its surroundings. */
export interface ChannelHost {
  output_id: string;
  clock: Clock;
  gate: SafetyGate;
  emergency: Pick<EmergencyStop, 'held'>;
  site: SiteView;
  store: ControlStore;
  /** Throws DriverError `unreachable` while the device is not connected. */
  device: () => Actuating & Partial<Reckoning>;
  /** Called at every change of the state, with the result of the command that the change ends. */
  changed: (state: OutputChannelState, ended?: Ended) => void;
  /** Called when a manual command ends without another one. */
  overrideEnded: (ended: EndedOverride) => void;
  log: (line: string) => void;
}
