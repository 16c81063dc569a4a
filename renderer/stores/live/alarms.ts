import { computed, shallowReactive, shallowRef } from 'vue';
import { alarmEndpoints, byUrgency, needsAttention, type Alarm } from '../../../server/contract/alarm.ts';
import { safetyEndpoints, type EmergencyStop } from '../../../server/contract/safety.ts';
import { useClient } from '../../client/client.ts';
import { useSession } from '../session.ts';
import { Told } from './told.ts';

type Emergency = Omit<EmergencyStop, 'outputs'>;
const ofEmergency = 'emergency';

/** The present alarms, and the emergency stop. */
export function liveAlarms() {
  const { call, clock } = useClient();
  const session = useSession();
  const told = new Told();
  const alarms = shallowReactive(new Map<string, Alarm>());
  const isRead = shallowRef(false);
  const emergency = shallowRef<Emergency | null>(null);
  const releasedAt_ms = shallowRef<number | null>(null);

  function put(alarm: Alarm): void {
    if (alarm.state === 'normal') alarms.delete(alarm.alarm_id);
    else alarms.set(alarm.alarm_id, alarm);
  }

  /** Takes the news of an alarm. */
  function take(alarm: Alarm): void {
    told.hear(alarm.alarm_id);
    put(alarm);
  }

  /** Takes the alarms of an answer, unless events have brought newer ones since it was asked for. */
  async function takeAnswer<Answer>(
    asked: Promise<Answer>,
    alarmsOf: (answer: Answer) => readonly Alarm[],
  ): Promise<Answer> {
    const takes = told.ask();
    const answer = await asked;
    for (const alarm of alarmsOf(answer)) if (takes(alarm.alarm_id)) put(alarm);
    return answer;
  }

  async function load(): Promise<void> {
    if (!session.can('view_stats')) return;
    const takes = told.ask();
    const answer = await call(alarmEndpoints.list).catch((error: unknown) => {
      isRead.value = false;
      throw error;
    });
    const listed = new Map(answer.alarms.map((alarm) => [alarm.alarm_id, alarm]));
    for (const id of [...alarms.keys()]) if (!listed.has(id) && takes(id)) alarms.delete(id);
    for (const [id, alarm] of listed) if (takes(id)) put(alarm);
    isRead.value = true;
  }

  function putEmergency(now: Emergency): void {
    if (now.active) releasedAt_ms.value = null;
    else if (emergency.value?.active === true) releasedAt_ms.value = clock.now();
    emergency.value = now;
  }

  /** Takes the news of the emergency stop. */
  function takeEmergency(now: Emergency): void {
    told.hear(ofEmergency);
    putEmergency(now);
  }

  /** Takes the answer to a command on it; null where an event came first, which may tell the opposite. */
  async function takeEmergencyAnswer<Answer extends Emergency>(asked: Promise<Answer>): Promise<Answer | null> {
    const takes = told.ask();
    const answer = await asked;
    if (!takes(ofEmergency)) return null;
    putEmergency(answer);
    return answer;
  }

  async function loadEmergency(): Promise<void> {
    if (session.can('view_stats')) await takeEmergencyAnswer(call(safetyEndpoints.getEmergencyStop));
  }

  const sorted = computed(() => [...alarms.values()].sort(byUrgency));

  return {
    take,
    takeAnswer,
    load,
    isRead,
    loadEmergency,
    takeEmergency,
    takeEmergencyAnswer,
    emergency,
    releasedAt_ms,
    byUrgency: sorted,
    pulse: computed(() => sorted.value.map(({ alarm_id, state }) => `${alarm_id}:${state}`).join(' ')),
    unseen: computed(() => [...alarms.values()].filter(needsAttention).sort(byUrgency)),
  };
}
