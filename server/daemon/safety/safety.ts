import { messageOf } from '../../contract/message-of.ts';
import type { EmergencyStopRow } from '../../db/repositories/emergency-stop.ts';
import type { Clock } from '../clock.ts';

import type { ControlStore } from '../store/control-store.ts';
import type { EventRing } from '../events/events.ts';
import { Grid } from '../grid.ts';
import { currentRule } from './current.ts';
import { EmergencyStop } from './emergency-stop.ts';
import { SafetyGate } from './gate.ts';
import { interlockRule } from './interlock.ts';
import { emptyPlan, type SafetyPlan } from './plan.ts';
import { SiteConditions } from './site-conditions.ts';
import { limitRule, staleRule } from './site-rules.ts';

const tickMs = 1_000;

export interface SafetyOptions {
  clock: Clock;
  configuration: { safetyPlan(): SafetyPlan };
  events: Pick<EventRing, 'push' | 'subscribe'>;
  store: Pick<ControlStore, 'saveEmergencyStop'>;
  log: (line: string) => void;
}

/** Everything that holds outputs back: the gate with its rules, its plan, and the emergency stop. */
export class Safety {
  readonly emergency: EmergencyStop;
  readonly gate: SafetyGate;
  readonly #options: SafetyOptions;
  readonly #conditions: SiteConditions;
  readonly #grid: Grid;
  #plan: SafetyPlan = emptyPlan;
  #changed: () => void = () => undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(options: SafetyOptions) {
    const { clock } = options;
    this.#options = options;
    this.emergency = new EmergencyStop(options);
    this.#conditions = new SiteConditions({ clock, changed: () => this.#changed() });
    this.gate = new SafetyGate(this.emergency, [
      staleRule(this.#conditions),
      limitRule(this.#conditions),
      currentRule(() => this.#plan.max_current_a),
      interlockRule(() => this.#plan.interlocks),
    ]);
    this.#grid = new Grid({ clock, periodMs: tickMs, offsetMs: tickMs, tick: async () => this.#tick() });
  }

  get plan(): SafetyPlan {
    return this.#plan;
  }

  /** Called before the outputs start. Calls `changed` whenever a channel may have to move. */
  start(left: EmergencyStopRow | null, changed: () => void): void {
    this.emergency.start(left);
    this.refresh();
    this.#changed = changed;
    this.#unsubscribe = this.#options.events.subscribe((event) => {
      if (event.kind === 'measurement') this.#conditions.take(event);
    });
    this.#grid.start();
  }

  stop(): void {
    this.#unsubscribe?.();
    void this.#grid.stop();
  }

  /** Applies the present settings and bindings; the former ones stay when these cannot be read. */
  refresh(): void {
    const { configuration, log } = this.#options;
    try {
      const plan = configuration.safetyPlan();
      if (plan === this.#plan) return;
      this.#plan = plan;
    } catch (error) {
      return log(`safety settings cannot be read: ${messageOf(error)}`);
    }
    this.#conditions.plan(this.#plan);
  }

  #tick(): void {
    this.refresh();
    this.#conditions.tick();
  }
}
