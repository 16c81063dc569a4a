import { describe, expect, it } from 'vitest';
import type { AlarmCondition } from '../../../../server/contract/alarm.ts';
import { deviceSays } from '../../../../server/contract/device-words.ts';
import { messageOf, type Message } from '../../../../server/services/notification/text.ts';

const dry: AlarmCondition = {
  code: 'out_of_band',
  severity: 'warning',
  source_kind: 'facility',
  source_id: '6d4fb1f1-4dd4-4a5c-8a40-2c6f7b7a5b0e',
  source_name: '1동',
  channel: null,
  role: 'indoor_humidity',
  name: null,
  value: 31.249999,
  limit: 40,
  unit: '%',
  message: null,
};
const site = { name: '농장', time_zone: 'Asia/Seoul', language: 'ko' as const };

function told(facts: AlarmCondition): Message {
  const outgoing = {
    target_id: 'a',
    reason: 'came' as const,
    at: '2026-03-01T06:00:00.000Z',
    severity: facts.severity,
  };
  return messageOf([{ ...outgoing, facts }], site);
}

describe('a message about an alarm', () => {
  it('says what was measured, with few digits', () => {
    const { subject, text } = told({ ...dry, name: 'below' });
    expect(subject).toContain('1동 · 실내 습도');
    expect(text).toContain('31.25\u202f%');
    expect(text).not.toContain('31.249');
  });

  it('writes powers and degrees as people do', () => {
    const bright = { ...dry, name: 'above', value: 1234.5, limit: 900, unit: 'W/m2', role: 'indoor_light' as const };
    expect(told(bright).text).toContain('1,235\u202fW/m²');
    expect(told({ ...bright, unit: 'C', value: 41.04 }).text).toContain('41.04\u202f°C');
  });

  it('says in the language of the site what a driver said', () => {
    const failed = { ...dry, code: 'controller_down' as const, role: null, value: null, limit: null, unit: null };
    expect(told({ ...failed, message: deviceSays('bus_silent') }).text).toContain('버스가 제때 응답하지 않았습니다');
    expect(told({ ...failed, message: 'illegal data address' }).text).toContain('illegal data address');
  });

  it('says by how much a clock was set in the time of the site', () => {
    const set = { ...dry, code: 'clock_set' as const, role: null, value: null, limit: null, unit: null };
    const { text } = told({ ...set, message: '2026-03-01T06:00:00.000Z -> 2026-03-01T07:00:00.000Z' });
    expect(text).toMatch(/15:00 → .*16:00/);
  });
});
