import type { Alarm, AlarmCode, AlarmCondition, AlarmState } from '../../contract/alarm.ts';

/** What an alarm of one code follows from, and is silent beside. */
interface Causes {
  /** Alarms of its own source. */
  own?: readonly AlarmCode[];
  /** Which of these; all when absent. */
  ownIf?: (cause: Facts, other: Facts) => boolean;
  /** Alarms of a source that its own needs: the connection of a device, the sensors and outputs of a controller. */
  needed?: readonly AlarmCode[];
  /** For which needs; for all when absent. */
  neededIf?: (need: Need, other: Facts) => boolean;
  /** It speaks again once somebody has put what it needs aside: control that does not work must be seen. */
  isSeen?: true;
}

/** A source without which another does not work. */
export interface Need {
  source_id: string;
  /** Of the sensor for which the house has it; null beside houses. */
  role: AlarmCondition['role'];
}

type Facts = Pick<AlarmCondition, 'code' | 'source_id' | 'channel' | 'role' | 'name'> & Partial<Pick<Alarm, 'state'>>;

const lostSensor = ['stale', 'no_data', 'controller_down', 'connection_lost'] as const;

/** Each channel has its commands. */
const ofChannel = (cause: Facts, other: Facts): boolean =>
  cause.code !== 'command_failed' || cause.channel === other.channel;
/** Frost says nothing of humidity. */
const ofRole = (cause: Facts, other: Facts): boolean => cause.role === other.role;
/** Another rule holds for another reason. */
const ofRule = (cause: Facts, other: Facts): boolean => cause.code === other.name;

/** A program goes on without a sensor of its house. */
const besideHouses = ({ role }: Need): boolean => role === null;
/** A leak is no lost sensor. */
const forRole = ({ role }: Need, other: Facts): boolean => role !== null && role === other.role;
const withoutReading = (_: Need, other: Facts): boolean => other.name === 'stale';

/** No code follows from itself, not even through others: both alarms would be silent. */
export const alarmCauses: { readonly [Code in AlarmCode]?: Causes } = {
  controller_down: { needed: ['connection_lost'] },
  stale: { own: ['controller_down'], needed: ['connection_lost'] },
  no_data: { own: ['controller_down'], needed: ['connection_lost'] },
  command_failed: { own: ['controller_down'], needed: ['connection_lost'] },
  output_unknown: { own: ['controller_down', 'command_failed'], ownIf: ofChannel, needed: ['connection_lost'] },
  dead_man: { own: ['controller_down'], needed: ['connection_lost'] },
  control_stopped: { needed: lostSensor, neededIf: besideHouses, isSeen: true },
  climate_fallback: { needed: lostSensor, neededIf: forRole, isSeen: true },
  safety_gate: {
    own: ['wind', 'rain', 'frost', 'over_temperature'],
    ownIf: ofRule,
    needed: lostSensor,
    neededIf: withoutReading,
    isSeen: true,
  },
  out_of_band: { own: ['frost', 'over_temperature'], ownIf: ofRole },
  daemon_restarted: { own: ['crash_loop'] },
};

const always = (): boolean => true;

/** Put aside by somebody, or silent itself: what it is silent beside counts instead. */
const unheard: ReadonlySet<AlarmState> = new Set(['shelved', 'out_of_service', 'suppressed']);

/**
 * Whether one alarm is the cause of another, whose source has these needs: the other then needs no report of its own.
 */
export function isCauseOf(cause: Facts, other: Facts, needs: readonly Need[]): boolean {
  const { own, ownIf = always, needed, neededIf = always, isSeen = false } = alarmCauses[other.code] ?? {};
  if (cause.source_id === other.source_id) return own?.includes(cause.code) === true && ownIf(cause, other);
  const isHeard = !isSeen || cause.state === undefined || !unheard.has(cause.state);
  if (!isHeard || needed?.includes(cause.code) !== true) return false;
  return needs.some((need) => need.source_id === cause.source_id && neededIf(need, other));
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
