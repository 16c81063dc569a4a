import type { AlarmCondition } from '../../server/contract/alarm.ts';
import type { DaemonEvent } from '../../server/contract/daemon.ts';
import { raiseable } from '../../server/daemon/alarms/alarm-key.ts';
import { Alarms, type AlarmsOptions } from '../../server/daemon/alarms/alarms.ts';
import { EventRing } from '../../server/daemon/events/events.ts';
import type { AlarmChange } from '../../server/db/repositories/alarm.ts';
import { ManualClock } from './manual-clock.ts';

export const alarmDeviceId = '00000000-0000-4000-8000-0000000000e1';

/** A condition of one device; by default it becomes an alarm at once. */
export function condition(is: Partial<AlarmCondition> = {}): AlarmCondition {
  return raiseable({
    code: 'command_failed',
    severity: 'warning',
    source_kind: 'output',
    source_id: alarmDeviceId,
    channel: 0,
    ...is,
  });
}

/** Running alarms: their events, what they stored, and the journal as `transition: before > after`. */
export function alarmBench(options: Pick<AlarmsOptions, 'needs' | 'noticing_s'> = {}) {
  const clock = new ManualClock();
  const events = new EventRing(clock);
  const told: Extract<DaemonEvent, { kind: 'alarm' }>[] = [];
  events.subscribe((event) => {
    if (event.kind === 'alarm') told.push(event);
  });
  const kept: AlarmChange[] = [];
  const disk = { failure: undefined as Error | undefined };
  const lines: string[] = [];
  const store = {
    saveAlarms: async (change: AlarmChange) => {
      if (disk.failure !== undefined) throw disk.failure;
      kept.push(change);
    },
  };
  const alarms = new Alarms({ clock, events, store, log: (line) => lines.push(line), ...options });
  const journal = () =>
    kept
      .flatMap(({ entries }) => entries)
      .map(({ transition, state_before, state }) => `${transition}: ${state_before} > ${state}`);
  return { alarms, clock, events, told, kept, journal, disk, lines };
}
