import { expect, it } from 'vitest';
import type { OutputChannelState, OutputState } from '../../../server/contract/output.ts';
import { EventRing } from '../../../server/daemon/events/events.ts';
import { MeasurementCare } from '../../../server/daemon/measurement-care.ts';
import type { ChannelRetention, StateMark, StoreCondition } from '../../../server/measurement/store.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const output_id = '6a1f5c3e-0000-4000-8000-000000000001';
const minuteMs = 60_000;
const gigabyte = 1e9;

function channelIn(state: OutputState, contact: OutputChannelState['contact'] = null) {
  return {
    output_id,
    channel: 2,
    state,
    contact,
    quality: 'good' as const,
    source: null,
    actor: null,
    wanted: null,
    until: null,
    override_until: null,
    off_until: null,
    reason: null,
    rule: null,
    on_seconds: null,
    changed_at: null,
    pending: false,
  };
}

function bench() {
  const clock = new ManualClock();
  const events = new EventRing(clock);
  const marks: StateMark[] = [];
  const retained: { exceptions: readonly ChannelRetention[]; now_ms: number }[] = [];
  const told: StoreCondition[] = [];
  const site = { state: null as OutputState, free_bytes: 50 * gigabyte, database_bytes: 0, checks: 0 };
  const care = new MeasurementCare({
    clock,
    events,
    log: () => undefined,
    outputs: { states: () => [channelIn(site.state)] },
    writer: {
      write: async () => undefined,
      mark: async (states) => void marks.push(...states),
      retain: (exceptions, nowMs) => void retained.push({ exceptions, now_ms: nowMs }),
      check: async () => void (site.checks += 1),
      close: async () => undefined,
    },
    retention: () => [{ device_id: output_id, measurement_id: output_id, channel: 0, raw_days: 7, rollup_days: 30 }],
    trustedMs: () => clock.now() - 3_600_000,
    space: async () => site,
    tell: (condition) => void told.push(condition),
  });
  return { clock, events, marks, retained, told, site, care };
}

it.each<[OutputState, number | null]>([
  ['on', 100],
  ['off', 0],
  [40, 40],
  [null, null],
])('keeps the state %s of an output as %s %%', async (state, kept) => {
  const { clock, events, marks, care } = bench();
  care.start();
  events.push({ kind: 'output', ...channelIn(state) });
  expect(marks).toEqual([{ output_id, channel: 2, state: kept, time_ms: clock.now(), origin: null }]);
});

it('keeps who drove an output into a state, and which rule held it', async () => {
  const { marks, care, events } = bench();
  care.start();
  const output = channelIn('on');
  events.push({ kind: 'output', ...output, source: 'manual', actor: 'kim', reason: 'frost' });
  events.push({ kind: 'output', ...output, state: 'off', rule: 'interlock', reason: 'vent open' });
  expect(marks.map(({ origin }) => origin)).toEqual([
    { source: 'manual', actor: 'kim', reason: 'frost', rule: null },
    { source: null, actor: null, reason: 'vent open', rule: 'interlock' },
  ]);
});

it('keeps what a contact does, and not the duty cycle that it keeps', async () => {
  const { marks, care, events } = bench();
  care.start();
  events.push({ kind: 'output', ...channelIn(40, 'on') });
  events.push({ kind: 'output', ...channelIn(40, 'off') });
  expect(marks.map(({ state }) => state)).toEqual([100, 0]);
});

it('vouches for the states every minute, and once more when it stops', async () => {
  const { clock, marks, site, care } = bench();
  care.start();
  site.state = 'on';
  await clock.advance(2 * minuteMs);
  expect(marks.map(({ state }) => state)).toEqual([100, 100]);
  site.state = 'off';
  care.stop();
  await clock.advance(2 * minuteMs);
  expect(marks.map(({ state }) => state)).toEqual([100, 100, 0]);
});

it('looks through the file once, and deletes what is old every hour', async () => {
  const { clock, retained, site, care } = bench();
  care.start();
  await clock.advance(minuteMs);
  expect([site.checks, retained.length]).toEqual([1, 1]);
  expect(retained[0]).toMatchObject({ exceptions: [{ raw_days: 7 }], now_ms: clock.now() - 3_600_000 });
  await clock.advance(120 * minuteMs);
  expect([site.checks, retained.length]).toEqual([1, 3]);
});

it('tells when the disk gets full and the file large, once, and when that is over by a margin', async () => {
  const { clock, told, site, care } = bench();
  care.start();
  const round = async (space: Partial<typeof site>): Promise<[string, boolean][]> => {
    Object.assign(site, space);
    await clock.advance(minuteMs);
    return told.splice(0).map(({ code, is_active }) => [code, is_active]);
  };
  expect(await round({ free_bytes: 2 * gigabyte })).toEqual([
    ['disk_space_low', false], // the last daemon may have left an alarm
    ['database_large', false],
  ]);
  expect(await round({ free_bytes: 0.99 * gigabyte })).toEqual([['disk_space_low', true]]);
  expect(await round({ free_bytes: 1.05 * gigabyte })).toEqual([]);
  expect(await round({ free_bytes: 1.2 * gigabyte, database_bytes: 21 * gigabyte })).toEqual([
    ['disk_space_low', false],
    ['database_large', true],
  ]);
  expect(await round({ database_bytes: 17 * gigabyte })).toEqual([['database_large', false]]);
});
