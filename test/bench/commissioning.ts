import { houseFaults, type HouseFault } from '../support/commissioning-faults.ts';
import {
  momentOf,
  outcomeOf,
  followCheck,
  wrongedOf,
  type FollowedRun,
  type RunResult,
} from '../support/commissioning-runs.ts';
import { spread, type Figure } from './figure.ts';

/** Runs of each fault, and of the sound house. */
const runsOfFault = Number(process.env['BENCH_RUNS'] ?? 10);
const cleanRuns = 10 * runsOfFault;
/** Readings as far apart as the slower sensors of the market give them, s. */
const period_s = Number(process.env['BENCH_PERIOD'] ?? 15);

/** Where the house stands, "lat,lng": a place that nothing was tuned to. */
const [lat = NaN, lng = NaN] = (process.env['BENCH_PLACE'] ?? '37.5665,126.978').split(',').map(Number);
/** Other moments and seeds than the usual ones from here on. */
const first = Number(process.env['BENCH_FIRST'] ?? 0);

async function runsOf(fault: HouseFault | null, count: number, salt: number): Promise<FollowedRun[]> {
  const results: FollowedRun[] = [];
  for (let index = 0; index < count; index += 1) {
    results.push(
      await followCheck({
        fault,
        period_s,
        place: { lat, lng },
        now: momentOf(index + salt + first),
        seed: 1 + 131 * salt + index + 7919 * first,
      }),
    );
  }
  return results;
}

function namesOf(runs: readonly RunResult[], of: 'failed' | 'doubted'): string {
  const names = runs.flatMap((run) =>
    wrongedOf(run)[of].map(({ name, findings }) => `${name}: ${findings?.[0]?.code}`),
  );
  const counts = Map.groupBy(names, (name) => name);
  return [...counts].map(([name, all]) => `${name} ${all.length}`).join(', ');
}

const stages = ['first', 'again', 'later'] as const;

function at(run: FollowedRun, stage: (typeof stages)[number]): RunResult {
  return stage === 'first' ? run : run[stage];
}

function rowOf(fault: HouseFault, runs: readonly FollowedRun[]): string {
  const last = runs.map(({ later }) => later);
  const found = stages.map((stage) => runs.filter((run) => outcomeOf(at(run, stage)) === 'found').length);
  const count = (outcome: string): number => last.filter((run) => outcomeOf(run) === outcome).length;
  const cells = [...found, count('undecidable'), count('missed'), namesOf(last, 'failed'), namesOf(last, 'doubted')];
  return `| ${fault.name} | ${cells.join(' | ')} |`;
}

/** What checks make of each fault and of the sound house: the table is told, the sums are the figures. */
export async function benchCommissioning(): Promise<Figure[]> {
  const only = process.env['BENCH_ONLY'];
  const faults = houseFaults.filter(({ name }) => only === undefined || name.includes(only));
  const all: FollowedRun[] = [];
  console.log(
    '| fault | found at first | with a test again | and at noon and night | undecidable | missed | sound items failed | sound items doubted |',
  );
  console.log('| --- | --- | --- | --- | --- | --- | --- | --- |');
  for (const [index, fault] of faults.entries()) {
    const runs = await runsOf(fault, runsOfFault, index);
    console.log(rowOf(fault, runs));
    all.push(...runs);
  }
  const clean = await runsOf(null, cleanRuns, 0);
  console.log('\n| sound house, result | runs by item |\n| --- | --- |');
  const items = clean.flatMap(({ again: { check } }) =>
    check.items.map(
      ({ name, result, findings }) => `${name} | ${result} ${findings?.map(({ code }) => code).join(' ')}`,
    ),
  );
  for (const [row, same] of [...Map.groupBy(items, (row) => row)].sort()) console.log(`| ${row} | ${same.length} |`);
  const last = all.map(({ later }) => later);
  const count = (outcome: string): number => last.filter((run) => outcomeOf(run) === outcome).length;
  const dead = last.filter(({ fault }) => fault?.name.endsWith(' dead'));
  const everything = [...all, ...clean];
  const sum = (of: 'failed' | 'doubted'): string =>
    `${everything.filter((run) => wrongedOf(run.later)[of].length > 0).length} of ${everything.length} checks`;
  const foundAt = (stage: (typeof stages)[number]): string => {
    const found = all.filter((run) => outcomeOf(at(run, stage)) === 'found').length;
    return `${found} (${((100 * found) / all.length).toFixed(1)} %)`;
  };
  return [
    { what: `faults found, of ${all.length} checks`, value: foundAt('first') },
    { what: '… with a test again at once', value: foundAt('again') },
    { what: '… and at the next noon and midnight', value: foundAt('later') },
    { what: '… undecidable', value: String(count('undecidable')) },
    { what: '… missed', value: String(count('missed')) },
    {
      what: 'dead devices approved',
      value: `${dead.filter((run) => outcomeOf(run) === 'missed').length} of ${dead.length}`,
    },
    { what: 'checks in which a sound item was failed', value: sum('failed') },
    { what: '… was doubted', value: sum('doubted') },
    {
      what: `length of a check of 19 devices, sensors at ${period_s} s, all`,
      value: spread(
        everything.map(({ length_s }) => length_s),
        's',
      ),
    },
    {
      what: '… of a test again',
      value: spread(
        everything.map(({ again }) => again.length_s),
        's',
      ),
    },
    {
      what: '… of a sound house',
      value: spread(
        clean.map(({ length_s }) => length_s),
        's',
      ),
    },
  ];
}
