import { expect, it } from 'vitest';
import { approvable, faultsFirst } from '../../../../../renderer/features/commissioning/checklist.ts';
import type { CheckItem, ItemResult } from '../../../../../server/contract/commissioning.ts';

type Row = Pick<CheckItem, 'device_id' | 'channel' | 'result' | 'verdict'>;

const row = (result: ItemResult, device_id: string, more: Partial<Row> = {}): Row => ({
  device_id,
  channel: 0,
  result,
  verdict: 'none',
  ...more,
});

it('lists faults, then the undecided, then all else as it was', () => {
  const results: ItemResult[] = ['ok', 'skipped', 'inconclusive', 'warn', 'fail', 'pending', 'ok', 'timeout', 'error'];
  const rows = results.map((result, at) => row(result, String(at)));
  expect(faultsFirst(rows).map(({ device_id }) => device_id)).toEqual(['4', '8', '7', '3', '2', '1', '0', '5', '6']);
});

it('approves together only what is OK, not judged and alone on its channel or among others that are OK', () => {
  const rows = [
    row('ok', 'a'),
    row('ok', 'a'),
    row('ok', 'a', { channel: 1, verdict: 'held' }),
    row('ok', 'b'),
    row('fail', 'b'),
    row('warn', 'c'),
    row('ok', 'd', { channel: null }),
  ];
  expect(approvable(rows)).toEqual([rows[0], rows[6]]);
});
