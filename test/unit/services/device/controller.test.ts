import { describe, expect, it, vi } from 'vitest';
import type { AuditEntry } from '../../../../server/auth/actor.ts';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import { ControllerService } from '../../../../server/services/device/controller.ts';
import { remoteError, ScriptedDaemon } from '../../../support/scripted-daemon.ts';

const id = '00000000-0000-4000-8000-000000000001';
const action = '00000000-0000-4000-8000-000000000002';
const script = { ...systemActor, username: 'kim', key_id: 'k', key_name: 'Climate computer' };

function setUp() {
  const daemon = new ScriptedDaemon(() => 0);
  const audited: AuditEntry[] = [];
  const settings = { name: 'Screen', is_activated: true, actions: [{ unique_id: action }] };
  const service = new ControllerService({
    inputs: { get: () => ({ name: '', is_activated: false, channels: [] }) },
    lcds: { get: () => settings },
    keepers: [{ has: (one) => one === id, get: () => settings, setActivated: () => undefined }],
    audit: { record: (entry) => void audited.push(entry) },
    daemon,
  });
  return { daemon, audited, service };
}

describe('ControllerService', () => {
  it('names the key by which actions were run', async () => {
    const { daemon, service } = setUp();
    const one = vi.spyOn(daemon, 'trigger_action');
    const all = vi.spyOn(daemon, 'trigger_all_actions');
    await service.act(script, id, { action_id: action });
    await service.act(script, id, {});
    expect(one).toHaveBeenCalledWith(action, {}, false, 'kim by key Climate computer');
    expect(all).toHaveBeenCalledWith(id, '', false, 'kim by key Climate computer');
  });

  it.each([
    ['timeout', 'command_unknown', 'unknown'],
    ['connection_failed', 'daemon_unreachable', 'failed'],
  ])('records actions and commands to a display that end with %s', async (fault, code, outcome) => {
    const { daemon, audited, service } = setUp();
    daemon.break(remoteError(fault));
    await expect(service.act(script, id, { action_id: action, value: 5 })).rejects.toMatchObject({ code });
    await expect(service.commandLcd(script, id, { backlight: true })).rejects.toMatchObject({ code });
    expect(audited).toMatchObject([
      { kind: 'controller.act', target: id, after: { action_id: action, value: 5, outcome, code } },
      { kind: 'lcd.command', target: id, after: { backlight: true, outcome, code } },
    ]);
  });

  it('records a command as failed that the display refused', async () => {
    const { daemon, audited, service } = setUp();
    daemon.lcd_backlight = async () => [1, 'it has no light'];
    const told = service.commandLcd(script, id, { backlight: true });
    await expect(told).rejects.toMatchObject({ code: 'command_failed' });
    expect(audited).toMatchObject([{ after: { backlight: true, outcome: 'failed', message: 'it has no light' } }]);
  });
});
