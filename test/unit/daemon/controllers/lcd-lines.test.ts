import { describe, expect, it } from 'vitest';
import type { LastValue } from '../../../../server/contract/measurement.ts';
import { lcdLines } from '../../../../server/daemon/controllers/lcd/lcd-lines.ts';

const id = '00000000-0000-4000-8000-000000000001';
const reading = (value: number | null): LastValue => ({
  device_id: id,
  measurement_id: id,
  channel: 0,
  value,
  unit: 'C',
  quality: 'good',
  time_ms: 0,
});
const from = (last?: LastValue) => ({
  nowMs: Date.parse('2026-03-01T06:05:00Z'),
  timeZone: 'Asia/Seoul',
  last: () => last,
});
const measurement = { kind: 'measurement', device_id: id, measurement_id: id, label: 'Air' } as const;

describe('lcdLines', () => {
  it.each([
    [21.456, 'Air       21.5 C'],
    [-3.14159, 'Air      -3.14 C'],
    [812.4, 'Air        812 C'],
    [null, 'Air           --'],
  ])('writes %s beside its label, as wide as the display', (value, line) => {
    expect(lcdLines([measurement], { columns: 16, rows: 1 }, from(reading(value)))).toEqual([line]);
  });

  it('shows dashes where nothing is known', () => {
    expect(lcdLines([measurement], { columns: 8, rows: 1 }, from())).toEqual(['Air   --']);
  });

  it('gives the time of the site, with the date where there is room', () => {
    expect(lcdLines([{ kind: 'time' }], { columns: 16, rows: 1 }, from())).toEqual(['2026-03-01 15:05']);
    expect(lcdLines([{ kind: 'time' }], { columns: 8, rows: 1 }, from())).toEqual(['15:05   ']);
  });

  it('has every row, cut and filled to the columns', () => {
    const set = [{ kind: 'text', text: 'A long line of text' } as const];
    expect(lcdLines(set, { columns: 8, rows: 2 }, from())).toEqual(['A long l', '        ']);
  });
});
