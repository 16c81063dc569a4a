import { expect, it, onTestFinished, vi } from 'vitest';
import type { AuditEntry } from '../../../../server/auth/actor.ts';
import { systemActor } from '../../../../server/auth/system-actor.ts';
import type { EmergencyStop } from '../../../../server/contract/safety.ts';
import { EmergencyStopService } from '../../../../server/services/device/emergency-stop.ts';
import { remoteError } from '../../../support/scripted-daemon.ts';

const answer: EmergencyStop = { active: true, since: null, by: 'service', reason: null, outputs: [] };

/** A daemon whose calls end when the test says so. */
function slowDaemon() {
  const calls: { name: string; end: () => void; fail: (error: Error) => void }[] = [];
  const call = (name: string) => () =>
    new Promise<EmergencyStop>((resolve, reject) => calls.push({ name, end: () => resolve(answer), fail: reject }));
  const audit: AuditEntry[] = [];
  const service = new EmergencyStopService({
    stopping: { emergency_stop: call('stop') },
    daemon: { emergency_stop_get: call('get'), emergency_stop_release: call('release') },
    audit: { record: (entry) => void audit.push(entry) },
  });
  return { service, calls, audit, names: () => calls.map(({ name }) => name) };
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
  const { service, calls, audit, names } = slowDaemon();
  const stop = service.stop(systemActor, 'fire');
  calls[0]?.fail(remoteError('timeout'));
  await expect(stop).rejects.toMatchObject({ code: 'command_unknown' });
  expect(service.owed).toEqual({ actor: 'service', reason: 'fire' });
  for (const at of [1, 2]) {
    await vi.advanceTimersByTimeAsync(500);
    expect(names()).toEqual(Array.from({ length: at + 1 }, () => 'stop'));
    calls[at]?.fail(remoteError('connection_failed'));
  }
  await vi.advanceTimersByTimeAsync(500);
  calls[3]?.end();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(names()).toHaveLength(4);
  expect(service.owed).toBeUndefined();
  expect(audit.map(({ after }) => after)).toMatchObject([
    { reason: 'fire', outcome: 'unknown' },
    { is_repeated: true, active: true },
  ]);
});

it.each(['release', 'close'] as const)('%s ends what is owed of a stop', async (end) => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { service, calls, names } = slowDaemon();
  const stop = service.stop(systemActor, 'fire');
  calls[0]?.fail(remoteError('connection_failed'));
  await expect(stop).rejects.toMatchObject({ code: 'daemon_unreachable' });
  if (end === 'close') service.close();
  else void service.release(systemActor, undefined);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(names().filter((name) => name === 'stop')).toHaveLength(1);
});

it('a stop whose call fails after its release is not repeated', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { service, calls, names } = slowDaemon();
  const stop = service.stop(systemActor, 'fire');
  void service.release(systemActor, undefined);
  calls[0]?.fail(remoteError('timeout'));
  await expect(stop).rejects.toMatchObject({ code: 'command_unknown' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(names()).toEqual(['stop', 'get']);
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
