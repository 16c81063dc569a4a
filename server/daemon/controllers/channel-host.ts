import type { OutputChannelState } from '../../contract/output.ts';
import type { Clock } from '../clock.ts';
import type { ControlStore } from '../control-store.ts';
import type { Actuating } from '../drivers/driver.ts';
import type { Result } from '../outcomes.ts';
import type { EmergencyStop } from '../safety/emergency-stop.ts';
import type { SafetyGate, SiteView } from '../safety/gate.ts';

/** The end of a command, or of what the daemon did by itself: then nobody is named. */
export interface Ended extends Result {
  commanded_by?: string;
}

/** What a channel needs around it. */
export interface ChannelHost {
  output_id: string;
  clock: Clock;
  gate: SafetyGate;
  emergency: Pick<EmergencyStop, 'held'>;
  site: SiteView;
  store: ControlStore;
  /** Throws DriverError `unreachable` while the device is not connected. */
  device: () => Actuating;
  /** Told of every change of the state, with the result of the command that it ends. */
  changed: (state: OutputChannelState, ended?: Ended) => void;
  log: (line: string) => void;
}
