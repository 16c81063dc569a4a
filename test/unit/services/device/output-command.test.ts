import { describe, expect, it } from 'vitest';
import type { AuditEntry } from '../../../../server/auth/actor.ts';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import type { Outcome, OutputRequest } from '../../../../server/contract/output.ts';
import { unknownChannel } from '../../../../server/services/live/values.ts';
import { newOutput } from '../../../../server/services/device/output.ts';
import { OutputCommander } from '../../../../server/services/device/output-command.ts';
import { refusalOf } from '../../../support/refusal.ts';
import { confirmed, remoteError, ScriptedDaemon, stateOf } from '../../../support/scripted-daemon.ts';

const nowMs = Date.parse('2026-03-01T06:00:00Z');
const heater = newOutput({ name: 'Heater', driver: 'simulated' });
const cycled = newOutput({
  name: 'Valve',
  driver: 'simulated',
  channels: [{ channel: 0, pwm_cycle_s: 600, max_on_s: 300 }],
});
const house = '00000000-0000-4000-8000-000000000001';
const vent = newOutput({ name: 'Vent', driver: 'simulated', options: { house, part: 'roof_vent' } });
const grower = { ...systemActor, username: 'grower' };

function setUp() {
  const daemon = new ScriptedDaemon(() => nowMs);
  const audited: AuditEntry[] = [];
  const noted: unknown[] = [];
  const commander = new OutputCommander({
    daemon,
    live: { outputState: (_, channel) => unknownChannel(channel), noteOutput: (_, state) => void noted.push(state) },
    audit: { record: (entry) => void audited.push(entry) },
    clock: () => nowMs,
  });
  return { daemon, audited, noted, commander };
}

describe('OutputCommander', () => {
  it('sends a manual command of the caller and answers what the device did', async () => {
    const { daemon, commander, audited, noted } = setUp();
    const result = await commander.command(grower, heater, { state: true, duration_s: 60, reason: 'cold' });
    expect(daemon.commands).toEqual([
      {
        output_id: heater.unique_id,
        channel: 0,
        state: true,
        duration_s: 60,
        reason: 'cold',
        source: 'manual',
        actor: 'grower',
      },
    ]);
    expect(result).toMatchObject({ output_id: heater.unique_id, channel: 0, requested: 'on', outcome: 'confirmed' });
    expect(audited).toMatchObject([
      { kind: 'output.command', target: heater.unique_id, after: { outcome: 'confirmed' } },
    ]);
    expect(noted).toHaveLength(1);
  });

  it.each<[Outcome, string | undefined, string | 200]>([
    ['confirmed', undefined, 200],
    ['pending', 'waiting', 200],
    ['unknown', 'cannot_answer', 200],
    ['unknown', 'timed_out', 'command_unknown'],
    ['unknown', undefined, 'command_unknown'],
    ['failed', 'unreachable', 'command_failed'],
    ['blocked', 'interlock', 'blocked'],
  ])('%s with %s ends as %s', async (outcome, code, expected) => {
    const { daemon, commander, audited } = setUp();
    daemon.answer = () => ({ outcome, code, message: 'as it was', state: stateOf({}) });
    const call = commander.command(grower, heater, { state: true });
    if (expected === 200) expect(await call).toMatchObject({ outcome, message: 'as it was' });
    else {
      const refusal = await refusalOf(call);
      expect([refusal.code, refusal.members['outcome'], refusal.members['reason']]).toEqual([
        expected,
        outcome,
        code ?? null,
      ]);
    }
    expect(audited).toHaveLength(1);
  });

  it.each([
    ['connection_failed', 'daemon_unreachable', 502],
    ['handshake_refused', 'daemon_unreachable', 502],
    ['timeout', 'command_unknown', 504],
    ['closed', 'command_unknown', 504],
    ['not_active', 'not_active', 409],
    ['invalid_argument', 'invalid_field', 400],
    ['not_found', 'command_failed', 502],
  ])('a daemon that ends in %s is answered as %s', async (remote, code, status) => {
    const { daemon, commander, audited } = setUp();
    daemon.failure = remoteError(remote);
    const refusal = await refusalOf(commander.command(grower, heater, { state: true }));
    expect([refusal.code, refusal.status]).toEqual([code, status]);
    expect(audited).toMatchObject([{ after: { code } }]);
  });

  it('records a release without an answer, which may have taken place', async () => {
    const { daemon, commander, audited } = setUp();
    daemon.break(remoteError('timeout'));
    await expect(commander.release(grower, heater, undefined)).rejects.toMatchObject({ code: 'command_unknown' });
    expect(audited).toMatchObject([{ kind: 'output.release', after: { channel: 0, outcome: 'unknown' } }]);
  });

  it.each<[string, OutputRequest, string, string | undefined]>([
    ['a channel that is not there', { state: true, channel: 3 }, 'unknown_reference', 'channel'],
    ['two amounts', { state: true, duration_s: 5, volume_ml: 2 }, 'invalid_field', 'volume_ml'],
    ['a position of a switch', { state: true, duty_cycle_pct: 50 }, 'invalid_field', 'duty_cycle_pct'],
    ['an amount of off', { state: false, duration_s: 5 }, 'invalid_field', 'duration_s'],
    [
      'an override that is over',
      { state: true, override_until: '2026-03-01T06:00:00Z' },
      'invalid_field',
      'override_until',
    ],
  ])('refuses %s and sends nothing', async (_, request, code, path) => {
    const { daemon, commander } = setUp();
    const refusal = await refusalOf(commander.command(grower, heater, request));
    expect([refusal.code, refusal.errors?.[0]?.path]).toEqual([code, path]);
    expect(daemon.commands).toEqual([]);
  });

  it('refuses an output that is not activated', async () => {
    const { commander } = setUp();
    const refusal = await refusalOf(commander.command(grower, { ...heater, is_activated: false }, { state: true }));
    expect(refusal.code).toBe('not_active');
  });

  it.each<[string, OutputRequest, string]>([
    ['a value', { state: true, value: 40 }, 'value'],
    ['a duty that it would be on for too long', { state: true, duty_cycle_pct: 60 }, 'duty_cycle_pct'],
    ['one that min_off_s makes too long', { state: true, duty_cycle_pct: 40, min_off_s: 600 }, 'duty_cycle_pct'],
  ])('refuses %s of a switch with cycles', async (_, request, path) => {
    const { daemon, commander } = setUp();
    const refusal = await refusalOf(commander.command(grower, cycled, request));
    expect([refusal.code, refusal.errors?.[0]?.path]).toEqual(['invalid_field', path]);
    expect(daemon.commands).toEqual([]);
  });

  it.each([40, 0, 100])('asks a switch with cycles for a duty of %s %%', async (duty_cycle_pct) => {
    const { daemon, commander } = setUp();
    daemon.answer = confirmed;
    const answer = await commander.command(grower, cycled, { state: true, duty_cycle_pct });
    expect(answer).toMatchObject({ requested: duty_cycle_pct, outcome: 'confirmed' });
    expect(daemon.commands).toMatchObject([{ state: true, duty_cycle_pct }]);
  });

  it('asks a dimmer for a position', async () => {
    const { daemon, commander } = setUp();
    daemon.answer = confirmed;
    expect(await commander.command(grower, vent, { state: true, duty_cycle_pct: 30 })).toMatchObject({
      requested: 30,
      state: { state: 30 },
    });
  });
});
