import type { AlarmCondition } from '../../../server/contract/alarm.ts';
import { partOf } from '../../../server/contract/alarm-text.ts';
import type { Translate } from '../../i18n/index.ts';

/** Where an alarm is: the house or device, and what of it. */
export function alarmPlace(alarm: AlarmCondition, t: Translate): string {
  const { source_kind, source_name, source_id, role, channel } = alarm;
  const part = partOf(alarm);
  const source =
    source_kind === 'daemon' || source_kind === 'site' ? t(`alarms.${source_kind}`) : (source_name ?? source_id);
  const parts = [source];
  if (role !== null) parts.push(t(`role.${role}`));
  if (part !== null) parts.push(part);
  if (channel !== null && channel > 0) parts.push(t('alarms.channel', { n: channel }));
  return parts.join(' · ');
}
