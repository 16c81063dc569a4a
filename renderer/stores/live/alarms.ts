import { computed, shallowReactive, shallowRef } from 'vue';
import { alarmEndpoints, byUrgency, needsSomebody, type Alarm } from '../../../server/contract/alarm.ts';
import { safetyEndpoints, type EmergencyStop } from '../../../server/contract/safety.ts';
import { useCall } from '../../client/client.ts';
import { useSession } from '../session.ts';

/** The present alarms, and the emergency stop. */
export function liveAlarms() {
  const call = useCall();
  const session = useSession();
  const alarms = shallowReactive(new Map<string, Alarm>());
  const emergency = shallowRef<Omit<EmergencyStop, 'outputs'> | null>(null);

  function take(alarm: Alarm): void {
    if (alarm.state === 'normal') alarms.delete(alarm.alarm_id);
    else alarms.set(alarm.alarm_id, alarm);
  }

  async function load(): Promise<void> {
    if (!session.can('view_stats')) return;
    const known = (await call(alarmEndpoints.list)).alarms;
    alarms.clear();
    for (const alarm of known) take(alarm);
  }

  async function loadEmergency(): Promise<void> {
    if (session.can('view_stats')) emergency.value = await call(safetyEndpoints.getEmergencyStop);
  }

  return {
    take,
    load,
    loadEmergency,
    emergency,
    byUrgency: computed(() => [...alarms.values()].sort(byUrgency)),
    unseen: computed(() => [...alarms.values()].filter(needsSomebody).sort(byUrgency)),
  };
}
