// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { nextTick } from 'vue';
import AuditLine from '../../../../../renderer/features/audit/AuditLine.vue';
import { useLive } from '../../../../../renderer/stores/live.ts';
import type { AuditRecord } from '../../../../../server/contract/audit.ts';
import { mounted } from '../../ui/mounted.ts';

const none = { user_id: null, username: 'kim', key_id: null, key_name: null, address: null, target: null };
const record = { id: 1, at: '2026-11-28T05:00:00.000Z', ...none, target_name: null, before: null };

function lineOf(kind: string, after: AuditRecord['after'], more: Partial<AuditRecord> = {}): string {
  const line = mounted(AuditLine, { props: { record: { ...record, kind, after, ...more }, title: 'Done' } });
  return line.get('.line__what').text();
}

it('says which alarm was acknowledged, and where', () => {
  const after = { code: 'frost', source_name: 'House 1', role: 'indoor_temp', state: 'acknowledged' };
  expect(lineOf('alarm.acknowledge', after)).toBe('Done · Frost · House 1 · Indoor temperature');
  expect(lineOf('alarm.shelve', { code: 'clock_set', source_name: null })).toBe('Done · Clock changed');
});

it('says which alarm a deed without an answer was about', () => {
  const after = { outcome: 'unknown', code: 'command_unknown', message: 'no answer in time' };
  const before = { code: 'frost', source_name: 'House 1', state: 'unacknowledged' };
  expect(lineOf('alarm.acknowledge', after, { before })).toBe('Done · Frost · House 1 · No answer: state unknown');
});

it('says which alert of a house came and went, with the house once', () => {
  const alert = { code: 'heater_and_vent', source_name: 'House 1', role: null };
  const ended = { before: alert, target_name: 'House 1' };
  expect(lineOf('facility.alert_end', null, ended)).toBe('Done · House 1 · Heating with open vents');
});

it('says of a command that it had no answer or failed, and of one that was carried out nothing', () => {
  const pump = { target_name: 'Pump' };
  expect(lineOf('output.release', { outcome: 'unknown' }, pump)).toBe('Done · Pump · No answer: state unknown');
  expect(lineOf('output.command', { outcome: 'failed' }, pump)).toBe('Done · Pump · Failed');
  expect(lineOf('output.command', { outcome: 'confirmed' }, pump)).toBe('Done · Pump');
});

it('says what a controller or a person switched an actuator to', () => {
  const vent = { target_name: 'Vent' };
  expect(lineOf('output.automatic', { channel: 0, state: 'on' }, { target_name: 'Heater' })).toBe('Done · Heater · On');
  expect(lineOf('output.automatic', { channel: 0, state: 40 }, vent)).toBe('Done · Vent · 40\u202f%');
  expect(lineOf('output.automatic', { channel: 0, state: null }, vent)).toBe('Done · Vent');
  const asked = { channel: 0, requested: 'off', outcome: 'failed' };
  expect(lineOf('output.command', asked, vent)).toBe('Done · Vent · Off · Failed');
});

it('says which device a verdict was given on, and which it was; by its role if the device is gone', async () => {
  const given = { device_id: 'pump', role: 'pad_pump', verdict: 'held' };
  const line = mounted(AuditLine, {
    props: { record: { ...record, kind: 'commissioning.verdict', after: given }, title: 'Done' },
  });
  expect(line.get('.line__what').text()).toBe('Done · Pad pump · Held');
  const live = useLive();
  live.devices = [{ unique_id: 'pump', name: 'Pump 1', channels: [] } as unknown as (typeof live.devices)[number]]; // all it reads
  await nextTick();
  expect(line.get('.line__what').text()).toBe('Done · Pump 1 · Held');
});
