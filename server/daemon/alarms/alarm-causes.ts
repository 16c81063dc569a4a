import type { Alarm, AlarmCode, AlarmCondition, AlarmState } from '../../contract/alarm.ts';

/** What an alarm of one code follows from, and is silent beside. */
interface Causes {
  /** Alarms of its own source. */
  own?: readonly AlarmCode[];
  /** Alarms of a source that its own needs: the connection of a device, the sensors and outputs of a controller. */
  needed?: readonly AlarmCode[];
  /** It speaks again once somebody has put its cause aside: control that stands still must be seen. */
  isSeen?: true;
}

const lostSensor = ['stale', 'no_data', 'controller_down', 'connection_lost'] as const;

/** No code follows from itself, not even through others: both alarms would be silent. */
export const alarmCauses: { readonly [Code in AlarmCode]?: Causes } = {
  controller_down: { needed: ['connection_lost'] },
  stale: { own: ['controller_down'], needed: ['connection_lost'] },
  no_data: { own: ['controller_down'], needed: ['connection_lost'] },
  command_failed: { own: ['controller_down'], needed: ['connection_lost'] },
  output_unknown: { own: ['controller_down', 'command_failed'], needed: ['connection_lost'] },
  dead_man: { own: ['controller_down'], needed: ['connection_lost'] },
  control_stopped: { needed: lostSensor, isSeen: true },
  climate_fallback: { needed: lostSensor, isSeen: true },
  safety_gate: { own: ['wind', 'rain', 'frost', 'over_temperature'], needed: lostSensor, isSeen: true },
  out_of_band: { own: ['frost', 'over_temperature'] },
  daemon_restarted: { own: ['crash_loop'] },
};

/** A source without which another does not work. */
export interface Need {
  source_id: string;
  /** Of the sensor for which the house has it; null beside houses. */
  role: AlarmCondition['role'];
}

type Facts = Pick<AlarmCondition, 'code' | 'source_id' | 'channel' | 'role' | 'name'> & Partial<Pick<Alarm, 'state'>>;

/** Put aside by somebody, or silent itself: what it is silent beside counts instead. */
const unheard: ReadonlySet<AlarmState> = new Set(['shelved', 'out_of_service', 'suppressed']);

/**
 * Whether one alarm is the cause of another, whose source has these needs: the other then needs no report of its own.
 */
export function isCauseOf(cause: Facts, other: Facts, needs: readonly Need[]): boolean {
  const { own = [], needed = [], isSeen = false } = alarmCauses[other.code] ?? {};
  if (cause.source_id === other.source_id) return own.includes(cause.code) && isOfSamePart(cause, other);
  if (!needed.includes(cause.code) || (isSeen && isUnheard(cause))) return false;
  return needs.some((need) => need.source_id === cause.source_id && isMeant(need, other));
}

/** The one of the alarms of its own source, or else of those that it needs, of which a condition is the consequence. */
export function causeAmong<One extends Facts>(
  condition: Facts,
  needs: readonly Need[],
  alarmsOf: (source_id: string) => Iterable<One>,
): One | undefined {
  for (const source_id of new Set([condition.source_id, ...needs.map((need) => need.source_id)])) {
    for (const one of alarmsOf(source_id)) if (isCauseOf(one, condition, needs)) return one;
  }
  return undefined;
}

const isUnheard = ({ state }: Facts): boolean => state !== undefined && unheard.has(state);

function isOfSamePart(cause: Facts, other: Facts): boolean {
  if (cause.code === 'command_failed') return other.channel === cause.channel; // each channel has its commands
  if (other.code === 'safety_gate') return other.name === cause.code; // another rule holds for another reason
  return other.code !== 'out_of_band' || other.role === cause.role; // frost says nothing of humidity
}

function isMeant({ role }: Need, other: Facts): boolean {
  if (other.code === 'control_stopped') return role === null; // a program goes on without a sensor of its house
  if (other.code === 'climate_fallback') return role !== null && role === other.role; // a leak is no lost sensor
  return other.code !== 'safety_gate' || other.name === 'stale';
}
