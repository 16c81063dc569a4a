import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { WorkerJudge, type RoundJudge } from '../../../server/daemon/commissioning/round-judge.ts';
import { judgeRound, type RoundCase } from '../../../server/domain/commissioning/round-judgement.ts';
import { workerEntry } from '../../../server/worker-entry.ts';
import { allActuators, allSensors, commissioningBench } from '../../support/commissioning-bench.ts';

/** The last round that a check of a house had to judge. */
async function lastRound(house: Parameters<typeof commissioningBench>[0]): Promise<RoundCase> {
  const rounds: RoundCase[] = [];
  const judge: RoundJudge = {
    judge: (round) => {
      rounds.push(structuredClone(round));
      return Promise.resolve({ columns: [], sensorFaults: [], levels: [], judgements: new Map(), turnings: new Map() });
    },
    close: () => Promise.resolve(),
  };
  const bench = commissioningBench({ ...house, judge });
  await bench.start();
  await bench.run();
  await bench.stop();
  const last = rounds.at(-1);
  if (last === undefined) throw new Error('nothing was judged');
  return last;
}

function times<One extends { role: string }>(list: readonly One[], count: number): One[] {
  return Array.from({ length: count }, (_, n) => list.map((one) => ({ ...one, name: `${one.role} ${n}` }))).flat();
}

const never = new AbortController().signal;
let round: RoundCase;
const worker = new WorkerJudge();

beforeAll(async () => {
  const sensors = times(allSensors, 3).map((one, index) => ({ ...one, period_s: 5, noise_seed: 1 + index }));
  round = await lastRound({ sensors, actuators: times(allActuators, 3).slice(0, 22) });
});
afterAll(() => worker.close());

/** Processor time that this thread takes for something, us. */
async function ownTime_us(act: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await act();
  const { user, system } = process.threadCpuUsage(before);
  return user + system;
}

it('finds the same in its thread, of 40 devices, and leaves this one free', async () => {
  const [here, elsewhere] = [judgeRound(round), await worker.judge(round, never)];
  expect(elsewhere).toEqual(here);
  expect(here.judgements.size).toBeGreaterThan(18); // a limit may hold one back
  const own_us = await ownTime_us(() => worker.judge(round, never));
  expect(own_us).toBeLessThan((await ownTime_us(() => judgeRound(round))) / 4);
});

it('ends soon when nobody waits for it any more, and judges the next', async () => {
  const ended = new AbortController();
  const judged = worker.judge(round, ended.signal);
  ended.abort();
  await expect(judged).rejects.toMatchObject({ code: 'cancelled' });
  await expect(worker.judge(round, never)).resolves.toBeDefined();
});

it('ends the check where the worker dies, with everything back as it was and nothing approved', async () => {
  const dying = new WorkerJudge(workerEntry('../../support/dying-judge-worker', import.meta.url));
  let asked: Promise<unknown> | undefined;
  const judge: RoundJudge = {
    judge: (...given) => {
      const judged = dying.judge(...given);
      asked = judged.catch(() => undefined);
      return judged;
    },
    close: () => dying.close(),
  };
  const bench = commissioningBench({ judge });
  onTestFinished(() => bench.stop());
  await bench.start();
  const { check_id } = await bench.engine.begin(bench.facility.unique_id, null, 'kim');
  await bench.until(() => asked !== undefined);
  await asked;
  await bench.until(() => bench.engine.get(check_id).status !== 'running', 10);
  const check = bench.engine.get(check_id);
  expect(check).toMatchObject({ status: 'aborted', cause: { code: 'not_judged' } });
  expect(new Set(check.items.map(({ result }) => result))).toEqual(new Set(['inconclusive', 'skipped']));
  for (const { unique_id } of bench.outputs) expect(bench.running.channel(unique_id).state().state).toBe('off');
  expect(bench.logged.join()).toContain('could not judge');
});
