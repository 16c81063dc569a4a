import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { AuditEntry } from '../../../../server/auth/actor.ts';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import type { EmergencyStop } from '../../../../server/contract/safety.ts';
import { EmergencyStopService } from '../../../../server/services/device/emergency-stop.ts';
import { OwedStop } from '../../../../server/services/device/owed-stop.ts';
import { testFolder } from '../../../support/database.ts';
import { remoteError } from '../../../support/scripted-daemon.ts';

const answer: EmergencyStop = { active: true, since: null, by: 'service', reason: null, outputs: [] };

/** A daemon whose calls end when the test says so. */
function slowDaemon(file = join(testFolder(), 'owed-stop.json')) {
  const calls: { name: string; end: () => void; fail: (error: Error) => void }[] = [];
  const call = (name: string) => () =>
    new Promise<EmergencyStop>((resolve, reject) => calls.push({ name, end: () => resolve(answer), fail: reject }));
  const audit: AuditEntry[] = [];
  const warnings: string[] = [];
  const owed = new OwedStop(file, (message) => void warnings.push(message));
  const service = new EmergencyStopService({
    stopping: { emergency_stop: call('stop') },
    daemon: { emergency_stop_get: call('get'), emergency_stop_release: call('release') },
    audit: { record: (entry) => void audit.push(entry) },
    owed,
  });
  onTestFinished(() => service.close());
  return { service, calls, audit, owed, file, warnings, names: () => calls.map(({ name }) => name) };
}

it('a flood of stops is one call, and each is written down', async () => {
  const { service, calls, audit, names } = slowDaemon();
  const stops = Array.from({ length: 100 }, () => service.stop(systemActor, undefined));
  expect(names()).toEqual(['stop']);
  calls[0]?.end();
  expect(await Promise.all(stops)).toEqual(stops.map(() => answer));
  expect(audit.map(({ kind }) => kind)).toEqual(stops.map(() => 'emergency_stop.begin'));
  void service.stop(systemActor, undefined);
  expect(names()).toEqual(['stop', 'stop']);
});

it('a stop without an answer is written down: it may hold', async () => {
  const { service, calls, audit } = slowDaemon();
  const stop = service.stop(systemActor, 'fire');
  calls[0]?.fail(remoteError('timeout'));
  await expect(stop).rejects.toMatchObject({ code: 'command_unknown' });
  expect(audit).toMatchObject([
    { kind: 'emergency_stop.begin', after: { reason: 'fire', outcome: 'unknown', code: 'command_unknown' } },
  ]);
});

it('a stop without an answer is repeated until the daemon answers, once more written down', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { service, calls, audit, owed, names } = slowDaemon();
  const stop = service.stop(systemActor, 'fire');
  calls[0]?.fail(remoteError('timeout'));
  await expect(stop).rejects.toMatchObject({ code: 'command_unknown' });
  expect(owed.asked).toEqual({ actor: 'service', reason: 'fire' });
  for (const at of [1, 2]) {
    await vi.advanceTimersByTimeAsync(500);
    expect(names()).toEqual(Array.from({ length: at + 1 }, () => 'stop'));
    calls[at]?.fail(remoteError('connection_failed'));
  }
  await vi.advanceTimersByTimeAsync(500);
  calls[3]?.end();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(names()).toHaveLength(4);
  expect(owed.value).toBeUndefined();
  expect(audit.map(({ after }) => after)).toMatchObject([
    { reason: 'fire', outcome: 'unknown' },
    { is_repeated: true, active: true },
  ]);
});

it('a confirmed release ends what is owed of a stop, one that fails does not', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { service, calls, audit, owed, names } = slowDaemon();
  const stop = service.stop(systemActor, 'fire');
  calls[0]?.fail(remoteError('connection_failed'));
  await expect(stop).rejects.toMatchObject({ code: 'daemon_unreachable' });
  const refused = service.release(systemActor, 'a mistake');
  calls[1]?.fail(remoteError('connection_failed'));
  await expect(refused).rejects.toMatchObject({ code: 'daemon_unreachable' });
  expect(audit.at(-1)).toMatchObject({
    kind: 'emergency_stop.release',
    after: { reason: 'a mistake', outcome: 'failed', code: 'daemon_unreachable' },
  });
  expect(owed.asked).toEqual({ actor: 'service', reason: 'fire' });
  const release = service.release(systemActor, undefined);
  calls[2]?.end();
  await expect.poll(() => calls[3]).toBeDefined();
  calls[3]?.end();
  await release;
  expect(owed.value).toBeUndefined();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(names()).toEqual(['stop', 'get', 'get', 'release']);
});

it('a release that finds nothing stopped ends what is owed', async () => {
  const { service, calls, owed } = slowDaemon();
  const stop = service.stop(systemActor, 'fire');
  calls[0]?.fail(remoteError('connection_failed'));
  await expect(stop).rejects.toMatchObject({ code: 'daemon_unreachable' });
  const release = service.release(systemActor, undefined);
  calls[1]?.end();
  await expect.poll(() => calls[2]).toBeDefined();
  calls[2]?.fail(remoteError('not_active'));
  await expect(release).rejects.toMatchObject({ code: 'not_active' });
  expect(owed.value).toBeUndefined();
});

it('a stop that is pressed while a release is under way stays owed', async () => {
  const { service, calls, owed } = slowDaemon();
  const release = service.release(systemActor, undefined);
  calls[0]?.end();
  await expect.poll(() => calls[1]).toBeDefined();
  const stop = service.stop(systemActor, 'fire');
  calls[1]?.end();
  await release;
  calls[2]?.fail(remoteError('timeout'));
  await expect(stop).rejects.toMatchObject({ code: 'command_unknown' });
  expect(owed.asked).toEqual({ actor: 'service', reason: 'fire' });
});

it('a stop that is owed when the service ends is repeated by the next one, and kept by none that had an answer', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const before = slowDaemon();
  const stop = before.service.stop({ ...systemActor, user_id: 'u1', username: 'kim' }, 'fire');
  before.calls[0]?.fail(remoteError('connection_failed'));
  await expect(stop).rejects.toMatchObject({ code: 'daemon_unreachable' });
  before.service.close();
  await before.owed.settled();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(before.names()).toEqual(['stop']);
  const { calls, audit, owed, file } = slowDaemon(before.file);
  expect(owed.asked).toEqual({ actor: 'kim', reason: 'fire' });
  await vi.advanceTimersByTimeAsync(500);
  calls[0]?.end();
  await expect.poll(() => owed.value).toBeUndefined();
  expect(audit).toMatchObject([{ actor: { username: 'kim' }, after: { is_repeated: true } }]);
  await owed.settled();
  expect(existsSync(file)).toBe(false);
});

it('a file that cannot be read is a stop', () => {
  const file = join(testFolder(), 'owed-stop.json');
  writeFileSync(file, '{"actor');
  expect(slowDaemon(file).owed.asked).toEqual({ actor: 'service', reason: null });
});

it('a stop that the disk refuses is owed all the same, said once, and written when it can be', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const folder = join(testFolder(), 'gone');
  const { service, calls, owed, file, warnings } = slowDaemon(join(folder, 'owed-stop.json'));
  const stop = service.stop(systemActor, undefined);
  calls[0]?.fail(remoteError('timeout'));
  await expect(stop).rejects.toMatchObject({ code: 'command_unknown' });
  await owed.settled();
  expect(owed.asked).toEqual({ actor: 'service', reason: null });
  await vi.advanceTimersByTimeAsync(10_000);
  await owed.settled();
  expect(warnings).toEqual([expect.stringMatching(/not kept yet: .*ENOENT/)]);
  mkdirSync(folder);
  await vi.advanceTimersByTimeAsync(10_000);
  await owed.settled();
  expect(existsSync(file)).toBe(true);
});

it('a stop whose call fails after its release is not repeated', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { service, calls, names } = slowDaemon();
  const stop = service.stop(systemActor, 'fire');
  const release = service.release(systemActor, undefined);
  calls[1]?.end();
  await expect.poll(() => calls[2]).toBeDefined();
  calls[2]?.end();
  await release;
  calls[0]?.fail(remoteError('timeout'));
  await expect(stop).rejects.toMatchObject({ code: 'command_unknown' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(names()).toEqual(['stop', 'get', 'release']);
});

it('stops that are owed are one call at a time, however many ask and however long it hangs', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { service, calls, names } = slowDaemon();
  const first = service.stop(systemActor, 'fire');
  calls[0]?.fail(remoteError('timeout'));
  await expect(first).rejects.toMatchObject({ code: 'command_unknown' });
  await vi.advanceTimersByTimeAsync(600); // it is repeated, and hangs
  const second = service.stop(systemActor, 'fire');
  calls[2]?.fail(remoteError('timeout'));
  await expect(second).rejects.toMatchObject({ code: 'command_unknown' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(names()).toEqual(['stop', 'stop', 'stop']);
});

it('a stop that the daemon refuses is not repeated', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { service, calls, names } = slowDaemon();
  const stop = service.stop(systemActor, undefined);
  calls[0]?.fail(remoteError('not_stored_yet'));
  await expect(stop).rejects.toMatchObject({ code: 'storage_failed' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(names()).toEqual(['stop']);
});

it('a stop after a release is a call of its own, although an earlier stop still runs', async () => {
  const { service, calls, names } = slowDaemon();
  void service.stop(systemActor, undefined);
  void service.release(systemActor, undefined);
  calls[1]?.end();
  await expect.poll(names).toEqual(['stop', 'get', 'release']);
  void service.stop(systemActor, undefined);
  expect(names()).toEqual(['stop', 'get', 'release', 'stop']);
});

it('readers share a look, and after a failure the next one looks anew', async () => {
  const { service, calls, names } = slowDaemon();
  const looks = [service.get(), service.get()];
  expect(names()).toEqual(['get']);
  calls[0]?.fail(new Error('no'));
  for (const look of looks) await expect(look).rejects.toMatchObject({ code: 'command_failed' });
  const again = service.get();
  calls[1]?.end();
  expect(await again).toEqual(answer);
});
