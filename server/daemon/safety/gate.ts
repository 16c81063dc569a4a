import type { CommandSource, HeldBy, HoldingRule } from '../../contract/output.ts';
import type { EmergencyStop } from './emergency-stop.ts';
import type { OutputValue } from '../drivers/driver.ts';

/** A value that is about to be sent to a channel, or that it stands at. */
export interface GateRequest {
  output_id: string;
  channel: number;
  value: OutputValue;
  /** null: nobody asks for it, it only is so. */
  source: CommandSource | null;
  /** The channel is known to be on already. */
  is_on: boolean;
  safe_state: OutputValue;
  /** Current that the channel draws while it is on, A; null: not counted. */
  current_a: number | null;
}

/** What rules may look at beside the request. */
export interface SiteView {
  /** The furthest that a channel may stand open or on, %, of what it is and what it was just told; Infinity when nobody knows. */
  exposurePct(output_id: string, channel: number): number;
  /** What all other channels may draw at the moment, A. */
  currentBeside(output_id: string, channel: number): number;
}

/** A rule that is broken, and the safer value that goes out instead. */
export interface Objection {
  rule: HoldingRule;
  message: string;
  held_by?: HeldBy;
  value: OutputValue;
}

export type GateRule = (request: GateRequest, site: SiteView) => Objection | undefined;

/**
 * The last word before a driver. During an emergency stop that is the safe state. Else each rule is asked about what the rules before
 * it left, so that none can make a value go out to which a later one objects.
 */
export class SafetyGate {
  readonly #emergency: Pick<EmergencyStop, 'held'>;
  readonly #rules: readonly GateRule[];

  constructor(emergency: Pick<EmergencyStop, 'held'>, rules: readonly GateRule[]) {
    this.#emergency = emergency;
    this.#rules = rules;
  }

  /** The first rule that objects, with the value that all of them leave. */
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
  return { rule: 'emergency_stop', message: 'the emergency stop is active', value: safe_state };
}
