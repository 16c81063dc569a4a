import { z } from 'zod';
import { alarmCondition } from '../../../server/contract/alarm.ts';
import type { AuditRecord } from '../../../server/contract/audit.ts';
import type { Translate } from '../../i18n/index.ts';

const { code, role, source_name } = alarmCondition.shape;
const ofAlarm = z.object({ code, source_name, role: role.optional() });
const unanswered = z.object({ outcome: z.enum(['unknown', 'failed', 'blocked']) });

/** Which alarm a record is about, and what it is called where; empty for other records. */
export function alarmWords({ kind, before, after, target_name }: AuditRecord, t: Translate): string[] {
  if (!kind.startsWith('alarm.') && !kind.startsWith('facility.alert')) return [];
  // What became of a deed that failed names no alarm.
  const alarm = ofAlarm.safeParse(after).data ?? ofAlarm.safeParse(before).data;
  if (alarm === undefined) return [];
  const place = alarm.source_name === target_name ? null : alarm.source_name;
  return [t(`alarms.code.${alarm.code}`), place ?? '', alarm.role ? t(`role.${alarm.role}`) : ''].filter(
    (word) => word !== '',
  );
}

/** What became of a command that was not carried out, as far as is known; undefined for others. */
export function outcomeWords({ after }: AuditRecord, t: Translate): string | undefined {
  const outcome = unanswered.safeParse(after).data?.outcome;
  return outcome && t(`ui.command.${outcome}`);
}
