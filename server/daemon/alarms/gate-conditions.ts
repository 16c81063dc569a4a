import type { AlarmCondition } from '../../contract/alarm.ts';
import type { LiveState } from '../../contract/daemon.ts';
import type { HoldingRule } from '../../contract/output.ts';
import type { Clock, Timer } from '../clock.ts';
import type { Configuration } from '../configuration.ts';
import type { SafetyPlan } from '../safety/plan.ts';
import { alarmIdOf, raiseable } from './alarm-key.ts';
import type { Alarms } from './alarms.ts';

interface GateOptions {
  clock: Clock;
  alarms: Pick<Alarms, 'raise' | 'clearWhere'>;
  configuration: Pick<Configuration, 'output'>;
  /** What the gate goes by now. */
  plan: () => Pick<SafetyPlan, 'facilities'>;
  outputs: () => LiveState['outputs'];
}

type Held = Pick<LiveState['outputs'][number], 'output_id' | 'channel'>;

const LOOK_MS = 1_000;
const mostNames = 12;

/** Rules of the gate: those that guard a house, and those of the site. Resting is none, and an emergency stop tells of itself. */
const ofHouses: ReadonlySet<HoldingRule> = new Set(['wind', 'rain', 'frost', 'over_temperature', 'stale']);
const ofSite: ReadonlySet<HoldingRule> = new Set(['current_limit', 'interlock']);

/**
 * Raises that the gate holds outputs against what was wanted: one alarm for each rule and house, or for each rule of the site, with the
 * outputs named in it.
 */
export class GateConditions {
  readonly #options: GateOptions;
  #timer: Timer | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
  }

  start(): void {
    this.#timer = this.#options.clock.after(LOOK_MS, () => {
      this.start();
      this.#look();
    });
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #look(): void {
    const { alarms } = this.#options;
    const conditions = this.#conditions();
    const held = new Set(conditions.map(alarmIdOf));
    alarms.clearWhere((known) => known.code === 'safety_gate' && !held.has(alarmIdOf(known)));
    for (const condition of conditions) alarms.raise(condition);
  }

  #conditions(): AlarmCondition[] {
    const groups = new Map<string, { condition: AlarmCondition; held: Held[] }>();
    for (const { output_id, channel, rule, wanted } of this.#options.outputs()) {
      if (rule === null || wanted === null || !(ofHouses.has(rule) || ofSite.has(rule))) continue;
      const condition = this.#conditionOf(rule, { output_id, channel });
      const key = alarmIdOf(condition);
      const group = groups.get(key) ?? { condition, held: [] };
      group.held.push({ output_id, channel });
      groups.set(key, group);
    }
    return [...groups.values()].map(({ condition, held }) => ({ ...condition, message: this.#namesOf(held) }));
  }

  #conditionOf(rule: HoldingRule, { output_id, channel }: Held): AlarmCondition {
    const isBound = (one: Held): boolean => one.output_id === output_id && one.channel === channel;
    const house = ofHouses.has(rule)
      ? this.#options.plan().facilities.find(({ actuators }) => actuators.some(isBound))
      : undefined;
    const about = { code: 'safety_gate', severity: ofHouses.has(rule) ? 'warning' : 'info', name: rule } as const;
    if (house === undefined) return raiseable({ ...about, source_kind: 'site', source_id: 'site' });
    return raiseable({ ...about, source_kind: 'facility', source_id: house.unique_id, source_name: house.name });
  }

  #namesOf(held: readonly Held[]): string {
    const names = held.slice(0, mostNames).map(({ output_id, channel }) => {
      const output = this.#options.configuration.output(output_id);
      const part = output?.channels.find((one) => one.channel === channel);
      if (output === undefined || part === undefined) return output_id;
      return output.channels.length > 1 ? `${output.name} ${part.name}` : output.name;
    });
    const rest = held.length - names.length;
    return `${names.join(', ')}${rest > 0 ? ` +${rest}` : ''}`.slice(0, 500);
  }
}
