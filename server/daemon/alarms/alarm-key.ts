import { createHash } from 'node:crypto';
import type { AlarmCondition } from '../../contract/alarm.ts';

/** What identifies an alarm. */
export interface AlarmKey extends Pick<AlarmCondition, 'code' | 'source_id'> {
  channel?: number | null;
  role?: AlarmCondition['role'];
  name?: string | null;
}

/** The identifier of an alarm: a UUID of version 8 (RFC 9562) made from its key, so that a recurring alarm keeps it. */
export function alarmIdOf({ code, source_id, channel, role, name }: AlarmKey): string {
  const digest = createHash('sha256')
    .update([code, source_id, channel ?? '', role ?? '', name ?? ''].join('\n'))
    .digest();
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}

type Needed = 'code' | 'severity' | 'source_kind' | 'source_id';

/** A condition with null for everything it leaves out. */
export function raiseable(condition: Pick<AlarmCondition, Needed> & Partial<AlarmCondition>): AlarmCondition {
  const nothing = {
    source_name: null,
    channel: null,
    role: null,
    name: null,
    value: null,
    limit: null,
    unit: null,
    message: null,
  };
  return { ...nothing, ...condition };
}
