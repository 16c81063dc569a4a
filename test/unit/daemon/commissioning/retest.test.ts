import { describe, expect, it } from 'vitest';
import type { CommissioningCheck } from '../../../../server/contract/commissioning.ts';
import { chainOf, faultOfReport } from '../../../../server/services/commissioning/chain.ts';
import { commissioningBench, itemOf } from '../../../support/commissioning-bench.ts';
import { faultyDevices, houseFaults } from '../../../support/commissioning-faults.ts';

/** A mild night: in and out hardly differ, so that a first test sees nothing of a vent. */
const mildNight = Date.UTC(2026, 9, 17, 15);

async function undecided(name: string | null, now = mildNight) {
  const fault = houseFaults.find((one) => one.name === name) ?? null;
  const bench = commissioningBench({ ...faultyDevices(fault, { seed: 7, period_s: 15 }), now });
  await bench.start();
  const { check_id } = await bench.run();
  const check = (): CommissioningCheck => bench.engine.get(check_id);
  const retest = async (): Promise<CommissioningCheck> => {
    await bench.engine.retest(check_id, 'lee');
    await bench.until(() => check().status !== 'running');
    return check();
  };
  return { bench, check, check_id, retest };
}

describe('a test again', () => {
  it('finds a dead vent that a mild night hid, and keeps what was found before', async () => {
    const { bench, check, retest } = await undecided('roof_vent dead');
    const before = structuredClone(check());
    const vent = itemOf(before, 'roof_vent');
    expect(vent.result).toBe('inconclusive');
    const sealed = chainOf(before).sha256;
    const decided = before.items.filter(({ result }) => result !== 'inconclusive' && result !== 'skipped');
    const after = await retest();
    expect(after).toMatchObject({ status: 'awaiting_verdict', phase: 'judging', ended_at: null });
    expect(itemOf(after, 'roof_vent').result).toMatch(/fail|warn/);
    expect(itemOf(after, 'roof_vent')).toMatchObject({
      retests: [{ by: 'lee', former: { result: 'inconclusive', findings: vent.findings } }],
    });
    for (const item of decided) expect(itemOf(after, item.role)).toEqual(item);
    // Links are only added: what was sealed before is still in the chain.
    expect(chainOf(after).links.map(({ sha256 }) => sha256)).toContain(sealed);
    expect(faultOfReport(chainOf(after))).toBeNull();
    for (const { role } of after.items.filter(({ kind }) => kind === 'actuator')) {
      expect(bench.stateOf(role as 'heater'), role).toMatchObject({ state: 'off', source: null });
    }
  });

  it('approves more of a sound house and fails nothing', async () => {
    const { check, retest } = await undecided(null);
    const count = (): number => check().items.filter(({ result }) => result === 'ok').length;
    const before = count();
    await retest();
    expect(count()).toBeGreaterThan(before);
    expect(check().items.map(({ result }) => result)).not.toContain('fail');
  });

  it('that is aborted leaves what was found, and brings back what helped', async () => {
    const { bench, check, check_id } = await undecided(null);
    const before = structuredClone(check());
    await bench.engine.retest(check_id, 'lee');
    await expect(bench.engine.retest(check_id, 'lee')).rejects.toMatchObject({ code: 'not_retestable' });
    await bench.until(() => bench.stateOf('heater').source === 'commissioning');
    await bench.engine.abort(check_id, 'lee');
    expect(check()).toEqual(before);
    expect(bench.stateOf('heater')).toMatchObject({ state: 'off', source: null });
  });

  it('that a restart cuts off leaves what was found', async () => {
    const { bench, check, check_id } = await undecided(null);
    const before = structuredClone(check());
    await bench.engine.retest(check_id, 'lee');
    await bench.until(() => bench.stateOf('heater').source === 'commissioning');
    const { store, facility, outputs } = bench;
    const kept = structuredClone(store.stored);
    await bench.stop();
    store.stored.clear();
    for (const [id, one] of kept) store.stored.set(id, one);
    const next = commissioningBench({ store, facility, outputs, now: mildNight + 3_600_000 });
    await next.start();
    expect(next.engine.get(check_id)).toMatchObject({ status: 'awaiting_verdict', items: before.items });
    await next.stop();
  });

  it('is refused where nothing is undecided without a verdict', async () => {
    const { bench, check, check_id } = await undecided(null);
    for (const { device_id } of check().items.filter(
      ({ result }) => result === 'inconclusive' || result === 'skipped',
    )) {
      await bench.engine.verdict(check_id, { device_id, verdict: 'held', reason: 'external' }, 'kim');
    }
    await expect(bench.engine.retest(check_id, 'lee')).rejects.toMatchObject({ code: 'not_retestable' });
  });
});
