import { z } from 'zod';
import { alarmCondition } from '../../../server/contract/alarm.ts';
import { verdictValue } from '../../../server/contract/commissioning.ts';
import { actuatorRoles, sensorRoles } from '../../../server/contract/facility.ts';
import { outputState, type OutputState } from '../../../server/contract/output.ts';
import type { AuditRecord } from '../../../server/contract/audit.ts';
import type { Translate } from '../../i18n/index.ts';
import type { Format } from '../../ui/format.ts';

const { code, role, source_name } = alarmCondition.shape;
const roleName = z.enum([...sensorRoles, ...actuatorRoles]);
const ofAlarm = z.object({ code, source_name, role: role.optional() });
const ofVerdict = z.object({ device_id: z.string(), role: roleName, verdict: verdictValue });
/** What an actuator was switched to, or asked for, by the kind of the record. */
const switchedTo: { readonly [kind: string]: z.ZodType<OutputState> } = {
  'output.automatic': z.object({ state: outputState }).transform(({ state }) => state),
  'output.command': z.object({ requested: outputState }).transform(({ requested }) => requested),
};
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

/** Which device a verdict of commissioning was given on, and which it was; empty for other records. */
export function verdictWords({ kind, after }: AuditRecord, t: Translate, nameOf: (id: string) => string | undefined) {
  if (kind !== 'commissioning.verdict') return [];
  const given = ofVerdict.safeParse(after).data;
  if (given === undefined) return [];
  return [nameOf(given.device_id) ?? t(`role.${given.role}`), t(`commissioning.verdicts.${given.verdict}`)];
}

/** What an actuator was switched to, or asked for; empty for other records. */
export function stateWords({ kind, after }: AuditRecord, t: Translate, format: Pick<Format, 'quantity'>): string[] {
  const state = switchedTo[kind]?.safeParse(after).data;
  if (state == null) return [];
  return [typeof state === 'number' ? format.quantity(state, '%') : t(`ui.${state}`)];
}

/** What became of a command that was not carried out, as far as is known; undefined for others. */
export function outcomeWords({ after }: AuditRecord, t: Translate): string | undefined {
  const outcome = unanswered.safeParse(after).data?.outcome;
  return outcome && t(`ui.command.${outcome}`);
}
