import { deviceSays } from '../../contract/device-words.ts';
import type { CommandSource, HeldBy, HoldingRule } from '../../contract/output.ts';
import type { EmergencyStop } from './emergency-stop.ts';
import type { OutputValue } from '../drivers/driver.ts';

/** A value about to be sent to a channel, or at which it stands. */
export interface GateRequest {
  output_id: string;
  channel: number;
  value: OutputValue;
  /** null when there is no claim: the value only stands. */
  source: CommandSource | null;
  /** The channel is known to be on already. */
  is_on: boolean;
  safe_state: OutputValue;
  /** Current that the channel draws while it is on, A; null when not counted. */
  current_a: number | null;
}

/** What rules may look at beside the request. */
export interface SiteView {
  /**
   * The furthest that a channel may be open or on, %, of its state and what was just sent to it; Infinity when unknown.
   */
  exposurePct(output_id: string, channel: number): number;
  /** What all other channels may draw at present, A. */
  currentBeside(output_id: string, channel: number): number;
}

/** A rule that a value breaks, and the safer value to send instead. */
export interface Objection {
  rule: HoldingRule;
  message: string;
  held_by?: HeldBy;
  value: OutputValue;
}

export type GateRule = (request: GateRequest, site: SiteView) => Objection | undefined;

/**
 * The last check before a driver. During an emergency stop it allows only the safe state. Otherwise each rule judges
 * the value that the rules before it left, so that no value goes out to which a later rule objects.
 */
export class SafetyGate {
  readonly #emergency: Pick<EmergencyStop, 'held'>;
  readonly #rules: readonly GateRule[];

  constructor(emergency: Pick<EmergencyStop, 'held'>, rules: readonly GateRule[]) {
    this.#emergency = emergency;
    this.#rules = rules;
  }

  /** The first rule that objects, with the value that remains after all of them. */
  judge(request: GateRequest, site: SiteView): Objection | undefined {
    if (this.#emergency.held !== null) return stopped(request);
    let first: Objection | undefined;
    let { value } = request;
    for (const rule of this.#rules) {
      const objection = rule({ ...request, value }, site);
      if (objection === undefined) continue;
      first ??= objection;
      value = objection.value;
    }
    return first && { ...first, value };
  }
}

function stopped({ value, safe_state }: GateRequest): Objection | undefined {
  if (value === safe_state) return undefined;
  return { rule: 'emergency_stop', message: deviceSays('stopped_all'), value: safe_state };
}
