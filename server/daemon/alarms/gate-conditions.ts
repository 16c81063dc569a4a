import type { AlarmCondition } from '../../contract/alarm.ts';
import type { OutputEvent } from '../../contract/daemon.ts';
import type { HoldingRule, OutputChannelState, OutputRef } from '../../contract/output.ts';
import type { Clock, Timer } from '../clock.ts';
import type { Configuration } from '../configuration/configuration.ts';
import type { EventRing } from '../events/events.ts';
import type { SafetyPlan } from '../safety/plan.ts';
import { alarmIdOf, raiseable } from './alarm-key.ts';
import type { Alarms } from './alarms.ts';

interface GateOptions {
  clock: Clock;
  alarms: Pick<Alarms, 'raise' | 'clearWhere'>;
  configuration: Pick<Configuration, 'get'>;
  events: Pick<EventRing, 'subscribe'>;
  /** The plan that the gate follows now. */
  plan: () => Pick<SafetyPlan, 'facilities'>;
  /** undefined for a channel that is not running. */
  stateOf: (ref: OutputRef) => Hold | undefined;
}

type Hold = Pick<OutputChannelState, 'rule' | 'wanted'>;

const lookMs = 5_000;
const mostNames = 12;

/**
 * Rules of the gate that guard a house, and those of the site. Resting is none of them, and an emergency stop has its
 * own alarm.
 */
const ofHouses: ReadonlySet<HoldingRule> = new Set(['wind', 'rain', 'frost', 'over_temperature', 'stale']);
const ofSite: ReadonlySet<HoldingRule> = new Set(['current_limit', 'interlock']);

/**
 * Raises alarms while the gate holds outputs against their claims: one for each rule and house, or for each rule of the
 * site, naming the outputs.
 */
export class GateConditions {
  readonly #options: GateOptions;
  /** Channels that were held at their last event: of hundreds only these are checked. */
  readonly #told = new Map<string, OutputRef>();
  #timer: Timer | undefined;
  #unsubscribe: (() => void) | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  /** Called before the outputs start. */
  start(): void {
    this.#unsubscribe = this.#options.events.subscribe((event) => {
      if (event.kind === 'output') this.#hear(event);
    });
    this.#arm();
  }

  stop(): void {
    this.#unsubscribe?.();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    this.#timer = this.#options.clock.after(lookMs, () => {
      this.#arm();
      this.#look();
    });
  }

  #hear({ output_id, channel, ...hold }: OutputEvent): void {
    const key = `${output_id}/${channel}`;
    if (heldBy(hold) === null) this.#told.delete(key);
    else this.#told.set(key, { output_id, channel });
  }

  #look(): void {
    const { alarms } = this.#options;
    const conditions = this.#conditions();
    const held = new Set(conditions.map(alarmIdOf));
    alarms.clearWhere((known) => known.code === 'safety_gate' && !held.has(alarmIdOf(known)));
    for (const condition of conditions) alarms.raise(condition);
  }

  #conditions(): AlarmCondition[] {
    const groups = new Map<string, { condition: AlarmCondition; held: OutputRef[] }>();
    for (const ref of this.#told.values()) {
      const rule = heldBy(this.#options.stateOf(ref));
      if (rule === null) continue;
      const condition = this.#conditionOf(rule, ref);
      const key = alarmIdOf(condition);
      const group = groups.get(key) ?? { condition, held: [] };
      group.held.push(ref);
      groups.set(key, group);
    }
    return [...groups.values()].map(({ condition, held }) => ({ ...condition, message: this.#namesOf(held) }));
  }

  #conditionOf(rule: HoldingRule, { output_id, channel }: OutputRef): AlarmCondition {
    const isBound = (one: OutputRef): boolean => one.output_id === output_id && one.channel === channel;
    const house = ofHouses.has(rule)
      ? this.#options.plan().facilities.find(({ actuators }) => actuators.some(isBound))
      : undefined;
    const about = { code: 'safety_gate', severity: ofHouses.has(rule) ? 'warning' : 'info', name: rule } as const;
    if (house === undefined) return raiseable({ ...about, source_kind: 'site', source_id: 'site' });
    return raiseable({ ...about, source_kind: 'facility', source_id: house.unique_id, source_name: house.name });
  }

  #namesOf(held: readonly OutputRef[]): string {
    const names = held.slice(0, mostNames).map(({ output_id, channel }) => {
      const output = this.#options.configuration.get('output', output_id);
      const part = output?.channels.find((one) => one.channel === channel);
      if (output === undefined || part === undefined) return output_id;
      return output.channels.length > 1 ? `${output.name} ${part.name}` : output.name;
    });
    const rest = held.length - names.length;
    return `${names.join(', ')}${rest > 0 ? ` +${rest}` : ''}`.slice(0, 500);
  }
}

/** The rule of the gate that holds a channel against its claim. */
function heldBy(state: Hold | undefined): HoldingRule | null {
  if (state === undefined || state.rule === null || state.wanted === null) return null;
  return ofHouses.has(state.rule) || ofSite.has(state.rule) ? state.rule : null;
}
