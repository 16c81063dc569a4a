import { describe, expect, it, vi } from 'vitest';
import type { CommissioningCheck } from '../../../../server/contract/commissioning.ts';
import { remoteError } from '../../../support/scripted-daemon.ts';
import { accuracyOf } from '../../../../server/domain/commissioning/accuracy.ts';
import { chainOf } from '../../../../server/services/commissioning/chain.ts';
import { checkId, heaterId, sampleCheck, thermometerId } from '../../../support/commissioning-check.ts';
import { grower, testDevices } from '../../../support/devices.ts';

const nobody = '00000000-0000-4000-8000-0000000000ff';

async function site() {
  const devices = testDevices();
  const heater = await devices.switch();
  const house = devices.house({ actuators: [{ role: 'heater', device_id: heater.unique_id, name: 'Heater' }] });
  devices.daemon.checks.push(sampleCheck(house.unique_id));
  const path = { facility_uuid: house.unique_id, check_id: checkId };
  return { ...devices, devices, heater, house, other: devices.house(), path };
}

describe('commissioning by REST', () => {
  it('starts in the name of who asks, and writes it to the audit', async () => {
    const { commissioning, daemon, house, heater, audited } = await site();
    const include = [heater.unique_id];
    expect(await commissioning.start(grower, house.unique_id, include)).toMatchObject({ check_id: checkId });
    expect(daemon.told.at(-1)).toBe(`commissioning_start ${house.unique_id} ${heater.unique_id} grower`);
    expect(audited.at(-1)).toMatchObject({ kind: 'commissioning.start', actor: grower, target: checkId });
  });

  it('refuses a device that is not bound, with its place', async () => {
    const { commissioning, house } = await site();
    const asked = commissioning.start(grower, house.unique_id, [nobody]);
    await expect(asked).rejects.toMatchObject({ code: 'unknown_reference', errors: [{ path: 'include[0]' }] });
  });

  it('knows no check of another facility, and none of one that is gone', async () => {
    const { commissioning, facilities, house, other, path } = await site();
    await expect(commissioning.get({ ...path, facility_uuid: other.unique_id })).rejects.toMatchObject({
      code: 'not_found',
    });
    await expect(commissioning.list(nobody)).rejects.toMatchObject({ code: 'not_found' });
    facilities.remove(grower, house.unique_id);
    await expect(commissioning.get(path)).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['not_found', 'not_found', 404],
    ['check_running', 'check_running', 409],
    ['nothing_bound', 'nothing_bound', 400],
    ['emergency_stopped', 'conflict', 409],
    ['not_running', 'conflict', 409],
    ['connection_failed', 'daemon_unreachable', 502],
  ])('says of %s in the daemon %s', async (remote, code, status) => {
    const { commissioning, daemon, house } = await site();
    daemon.failure = remoteError(remote);
    await expect(commissioning.start(grower, house.unique_id)).rejects.toMatchObject({ code, status });
    await expect(commissioning.list(house.unique_id)).rejects.toMatchObject({ code, status });
    await expect(commissioning.plan(house.unique_id)).rejects.toMatchObject({ code, status });
  });

  it('judges, and writes before and after with the seal to the audit', async () => {
    const { commissioning, audited, path, daemon } = await site();
    await expect(commissioning.verdict(grower, path, { device_id: nobody, verdict: 'held' })).rejects.toMatchObject({
      code: 'not_in_check',
      status: 404,
    });
    const item = await commissioning.verdict(grower, path, { device_id: heaterId, verdict: 'approved' });
    expect(item).toMatchObject({ device_id: heaterId });
    const [check] = daemon.checks;
    const sha256 = check && chainOf(check).sha256;
    expect(audited.at(-1)).toMatchObject({
      kind: 'commissioning.verdict',
      before: { verdict: 'none' },
      after: { sha256 },
    });
  });

  it('writes a verdict to the audit although the daemon is lost right after it', async () => {
    const { commissioning, audited, path, daemon } = await site();
    const judge = daemon.commissioning_verdict.bind(daemon);
    daemon.commissioning_verdict = async (...given) => {
      const item = await judge(...given);
      daemon.break();
      return item;
    };
    await commissioning.verdict(grower, path, { device_id: heaterId, verdict: 'approved' });
    expect(audited.at(-1)).toMatchObject({
      kind: 'commissioning.verdict',
      after: { device_id: heaterId, status: null, sha256: null },
    });
  });

  it.each([
    ['timeout', 'unknown'],
    ['closed', 'unknown'],
    ['unforeseen', 'failed'],
  ])('writes every deed to the audit that the daemon ends with %s', async (fault, outcome) => {
    const { commissioning, audited, path, daemon, house } = await site();
    const fails = async () => Promise.reject(remoteError(fault));
    for (const deed of ['start', 'abort', 'retest', 'reopen', 'verdict', 'accuracy'] as const)
      daemon[`commissioning_${deed}`] = fails;
    const reading = { device_id: thermometerId, measurement_id: thermometerId, point: 1, reference: 20 } as const;
    const deeds = [
      commissioning.start(grower, house.unique_id),
      commissioning.abort(grower, path),
      commissioning.retest(grower, path),
      commissioning.reopen(grower, path, 'the heater was changed'),
      commissioning.verdict(grower, path, { device_id: heaterId, verdict: 'approved', note: 'warm' }),
      commissioning.holdAgainst(grower, path, reading),
    ];
    expect((await Promise.allSettled(deeds)).map(({ status }) => status)).toEqual(deeds.map(() => 'rejected'));
    const records = audited.filter(({ kind }) => kind.startsWith('commissioning.'));
    expect(records.find(({ kind }) => kind === 'commissioning.start')?.target).toBe(house.unique_id);
    const sent = [
      ['commissioning.start', {}],
      ['commissioning.abort', {}],
      ['commissioning.retest', {}],
      ['commissioning.reopen', { reason: 'the heater was changed' }],
      ['commissioning.verdict', { device_id: heaterId, verdict: 'approved', note: 'warm' }],
      ['commissioning.accuracy', { device_id: thermometerId, point: { point: 1, reference: 20 } }],
    ] as const;
    expect(new Map(records.map(({ kind, after }) => [kind, after]))).toEqual(
      new Map(sent.map(([kind, after]) => [kind, expect.objectContaining({ ...after, outcome }) as object])),
    );
  });

  it('reopens a completed check alone, with the reason in the audit and in the chain', async () => {
    const { commissioning, audited, path, daemon } = await site();
    await expect(commissioning.reopen(grower, path, 'why not')).rejects.toMatchObject({
      code: 'conflict',
      status: 409,
    });
    const [check] = daemon.checks;
    if (check === undefined) throw new Error('there is no check');
    check.status = 'completed';
    const sealed = chainOf(check);
    const after = await commissioning.reopen(grower, path, 'the heater was changed');
    expect(after.status).toBe('awaiting_verdict');
    const { links, sha256 } = chainOf(after);
    expect(links.slice(0, sealed.links.length)).toEqual(sealed.links);
    expect(links.at(-1)).toMatchObject({ kind: 'reopening', content: { reason: 'the heater was changed' } });
    expect(audited.at(-1)).toMatchObject({
      kind: 'commissioning.reopen',
      before: { status: 'completed', sha256: sealed.sha256 },
      after: { status: 'awaiting_verdict', reason: 'the heater was changed', sha256 },
    });
    expect(await commissioning.report(path, 'en')).toContain('the heater was changed');
  });

  it('holds a sensor against a reference, and writes the point with the seal to the audit', async () => {
    const { commissioning, audited, path, daemon } = await site();
    const reading = {
      device_id: thermometerId,
      measurement_id: thermometerId,
      point: 1,
      reference: 20,
    } as const;
    const [check] = daemon.checks;
    const point = { point: 1, reference: 20, measured: 20.4, error: 0.4, allowed: 0.5, noise: 0.01, count: 7 } as const;
    const taken = { ...point, passed: true, instrument: 'PT100 <7>', by: 'grower', at: '2026-01-15T05:00:00.000Z' };
    Object.assign(check?.items[1] ?? {}, { accuracy: accuracyOf('indoor_temp', 'C', [taken]) });
    const item = await commissioning.holdAgainst(grower, path, reading);
    expect(item).toMatchObject({ name: 'Thermometer <1>', accuracy: { passed: null } });
    expect(daemon.told.at(-1)).toBe(`commissioning_accuracy ${checkId} ${thermometerId} 20 grower`);
    expect(audited.at(-1)).toMatchObject({
      kind: 'commissioning.accuracy',
      after: { role: 'indoor_temp', point: { reference: 20 }, sha256: check && chainOf(check).sha256 },
    });
    const page = await commissioning.report(path, 'en');
    for (const part of ['Against a reference', '20.4\u202f°C', 'PT100 &lt;7&gt;', 'at least 2\u202fK apart'])
      expect(page).toContain(part);
    const stranger = { ...reading, measurement_id: nobody };
    await expect(commissioning.holdAgainst(grower, path, stranger)).rejects.toMatchObject({ code: 'not_in_check' });
  });

  it.each(['no_reading', 'not_steady'] as const)('says %s as the daemon does', async (code) => {
    const { commissioning, daemon, path } = await site();
    const reading = { device_id: thermometerId, measurement_id: thermometerId, point: 1, reference: 20 } as const;
    daemon.commissioning_accuracy = async () => Promise.reject(remoteError(code));
    await expect(commissioning.holdAgainst(grower, path, reading)).rejects.toMatchObject({ code, status: 409 });
  });

  it('aborts, with before and after in the audit', async () => {
    const { commissioning, audited, path } = await site();
    await commissioning.abort(grower, path);
    expect(audited.at(-1)).toMatchObject({
      kind: 'commissioning.abort',
      target: checkId,
      before: { status: 'awaiting_verdict' },
    });
  });

  it.each([
    ['en', 'Commissioning report'],
    ['ko', '시운전 보고서'],
    ['ja', '試運転報告書'],
  ] as const)('prints a report in %s with what was found, measured and sealed', async (language, title) => {
    const { commissioning, path, daemon } = await site();
    const page = await commissioning.report(path, language);
    const [check] = daemon.checks;
    for (const part of [
      title,
      'House &amp; garden',
      'Thermometer &lt;1&gt;',
      '≥\u202f0.3\u202fK',
      checkId,
      check && chainOf(check).sha256,
    ]) {
      expect(page).toContain(part);
    }
    expect(page).not.toContain('<1>');
  });
});

describe('the audit of what nobody asked for by REST', () => {
  const patient = { timeout: 15_000 };
  /** A site that hears what its daemon tells. */
  async function listening(change: Partial<CommissioningCheck> = {}) {
    const parts = await site();
    Object.assign(parts.daemon.checks[0] ?? {}, { status: 'running', phase: 'sensors', ...change });
    parts.devices.start();
    await parts.daemon.polled();
    const told = async (is: Partial<CommissioningCheck>) => {
      const [check] = parts.daemon.checks;
      if (check === undefined) throw new Error('the sample is there');
      const { items: _, ...overview } = Object.assign(check, is);
      parts.daemon.emit({ kind: 'commissioning', ...structuredClone(overview), item: null });
      await parts.daemon.polled();
    };
    const ends = () => parts.audited.filter(({ kind }) => kind === 'commissioning.end');
    return { ...parts, told, ends };
  }

  it('has the end of a check that was tested through, once, with its seal', async () => {
    const { told, ends, daemon } = await listening();
    await told({ phase: 'actuators' });
    await told({ status: 'awaiting_verdict', phase: 'judging' });
    await told({ status: 'completed', phase: 'ended' });
    await vi.waitFor(() => expect(ends()).toHaveLength(1), patient);
    const [check] = daemon.checks;
    const after = { status: 'awaiting_verdict', sha256: check && chainOf(check).sha256, progress: { done: 2 } };
    expect(ends()).toMatchObject([{ target: checkId, actor: { username: null }, after }]);
  });

  it('has the end by an emergency stop, and not again what was aborted by REST', async () => {
    const { told, ends } = await listening();
    const cause = { code: 'aborted', by: 'grower' } as const;
    await told({ status: 'aborted', phase: 'ended', cause });
    await told({ check_id: nobody, cause: { code: 'emergency_stop' }, reason: 'emergency stop' });
    await vi.waitFor(() => expect(ends()).toHaveLength(1), patient);
    expect(ends()).toMatchObject([{ target: nobody, after: { status: 'aborted', reason: 'emergency stop' } }]);
  });

  it('has what a program began and aborted by the remote object', async () => {
    const { told, ends, audited } = await listening();
    await told({ started_by: 'pyro' });
    expect(audited.at(-1)).toMatchObject({ kind: 'commissioning.start', actor: { username: 'pyro' }, target: checkId });
    await told({ status: 'aborted', phase: 'ended', cause: { code: 'aborted', by: 'pyro' } });
    await vi.waitFor(() => expect(ends()).toMatchObject([{ actor: { username: 'pyro' } }]), patient);
  });

  it('has the end that came while the service was away', async () => {
    const { ends } = await listening({
      status: 'aborted',
      phase: 'ended',
      cause: { code: 'daemon_restarted' },
      started_at: '2026-02-28T04:00:00.000Z',
    });
    await vi.waitFor(() => expect(ends()).toMatchObject([{ target: checkId, after: { status: 'aborted' } }]), patient);
  });
});
