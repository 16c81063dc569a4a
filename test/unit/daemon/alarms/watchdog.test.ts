import { describe, expect, it } from 'vitest';
import type { AlarmCondition } from '../../../../server/contract/alarm.ts';
import type { Input } from '../../../../server/contract/input.ts';
import type { AlarmPort } from '../../../../server/daemon/alarms/alarms.ts';
import type { Clock } from '../../../../server/daemon/clock.ts';
import { Inputs } from '../../../../server/daemon/controllers/input/inputs.ts';
import { LiveValues } from '../../../../server/daemon/events/live-values.ts';
import { Watchdog, type Loop } from '../../../../server/daemon/alarms/watchdog.ts';
import { heaterId, indoorId, plainChannel, simulatedOutput, ventId } from '../../../support/daemon-site.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { outputsSite } from '../../../support/outputs-site.ts';

const loop: Loop = {
  source_kind: 'input',
  source_id: indoorId,
  source_name: 'indoor',
  limit_s: 60,
  outputs: [],
  beginAnew: () => undefined,
};

function recordedAlarms() {
  const raised = new Map<string, AlarmCondition>();
  const alarms: AlarmPort = {
    raise: (condition) => void raised.set(condition.source_id, condition),
    clear: ({ source_id }) => void raised.delete(source_id),
  };
  return { alarms, raised };
}

/** A watchdog over one loop that the test lets beat. */
function bench(clock: Clock) {
  const { alarms, raised } = recordedAlarms();
  const madeSafe: string[] = [];
  const begun = { anew: 0 };
  const watchdog = new Watchdog({ clock, alarms });
  watchdog.start((id) => void madeSafe.push(id));
  const watched = watchdog.watch({ ...loop, beginAnew: () => void (begun.anew += 1) });
  return { begun, madeSafe, raised, watched, watchdog };
}

describe('a loop under watch', () => {
  it('is left alone while it beats', async () => {
    const clock = new ManualClock();
    const { begun, raised, watched } = bench(clock);
    for (let round = 0; round < 10; round += 1) {
      await clock.advance(59_000);
      watched.beat();
    }
    expect(begun.anew).toBe(0);
    expect(raised.size).toBe(0);
  });

  it('that hangs is told once, brought safe and begun anew, and is over when it beats again', async () => {
    const clock = new ManualClock();
    const { begun, madeSafe, raised, watched } = bench(clock);
    await clock.advance(600_000);
    expect(begun.anew).toBe(1);
    expect(madeSafe).toEqual([indoorId]);
    expect(raised.get(indoorId)).toMatchObject({ code: 'watchdog', limit: 60, unit: 's', source_name: 'indoor' });
    watched.beat();
    expect(raised.size).toBe(0);
    await clock.advance(61_000);
    expect(begun.anew).toBe(2);
  });

  it.each(['end', 'stop'] as const)('is not told after its %s', async (how) => {
    const clock = new ManualClock();
    const { begun, watched, watchdog } = bench(clock);
    if (how === 'end') watched.end();
    else watchdog.stop();
    await clock.advance(600_000);
    expect(begun.anew).toBe(0);
  });

  it('is not blamed for time in which the whole process stood still', async () => {
    const clock = new ManualClock();
    const gap = { ms: 0 };
    const jumping: Clock = {
      now: () => clock.now(),
      elapsed: () => clock.elapsed() + gap.ms,
      after: (delayMs, run) => clock.after(delayMs, run),
    };
    const { begun } = bench(jumping);
    gap.ms = 3_600_000;
    await clock.advance(50_000);
    expect(begun.anew).toBe(0);
  });
});

describe('what hangs in the daemon', () => {
  const input: Input = {
    unique_id: indoorId,
    name: 'indoor',
    driver: 'scripted',
    options: {},
    period_s: 10,
    start_offset_s: 0,
    pre_output: { output_id: heaterId, lead_s: 1, while_measuring: true },
    power_output: null,
    channels: [plainChannel],
    is_activated: true,
  };

  it('an input: the output that it switched is safe, another controller takes its place', async () => {
    const site = outputsSite();
    const { alarms, clock, events, outputs } = site;
    const watchdog = new Watchdog({ clock, alarms });
    watchdog.start((id, others) => void outputs.letGo(id, others));
    await site.start([simulatedOutput(heaterId, 'heater')]);
    let hangs = true;
    const reads: string[] = [];
    const inputs = new Inputs({
      clock,
      events,
      watchdog,
      live: new LiveValues(clock, events),
      conversion: () => undefined,
      writer: { write: async () => undefined },
      outputs: {
        around: async (_input, read) => {
          if (!hangs) return read();
          await outputs.command({ output_id: heaterId, state: true, source: 'automatic', actor: 'input indoor' });
          return new Promise(() => undefined);
        },
        powerCycle: async () => undefined,
      },
      connect: async () => ({
        read: async () => (reads.push('read'), [{ channel: 0, value: 20 }]),
        close: async () => undefined,
      }),
    });
    inputs.activate(input);
    await clock.advance(30_000);
    expect(site.stateOf(heaterId)).toBe('on');
    hangs = false;
    await clock.advance(800_000);
    expect(site.stateOf(heaterId)).toBe('off');
    expect(reads.length).toBeGreaterThan(0);
    expect(alarms.list()).toMatchObject([
      { code: 'watchdog', source_id: indoorId, is_raised: false, state: 'returned' },
    ]);
    expect(inputs.statuses()).toMatchObject([{ controller_id: indoorId, state: 'running' }]);
    await inputs.stop();
  });

  it('an output: its channels are driven safe over a new connection, others stay as they are', async () => {
    const loops: Loop[] = [];
    const beats = { heater: 0 };
    let connections = 0;
    const site = outputsSite({
      watchdog: {
        watch: (one) => {
          loops.push(one);
          return { beat: () => void (beats.heater += Number(one.source_id === heaterId)), end: () => undefined };
        },
      },
      connect: async () => {
        connections += 1;
        return { write: async () => ({ acknowledged: true }), close: async () => undefined };
      },
    });
    await site.start([simulatedOutput(heaterId, 'heater'), simulatedOutput(ventId, 'side_vent')]);
    for (const output_id of [heaterId, ventId]) await site.outputs.command({ output_id, state: true });
    await site.clock.advance(20_000);
    expect(beats.heater).toBe(4);
    loops.find(({ source_id }) => source_id === heaterId)?.beginAnew();
    await site.clock.advance(20_000);
    expect(connections).toBe(3);
    expect(beats.heater).toBe(8);
    expect(site.stateOf(heaterId)).toBe('off');
    expect(site.stateOf(ventId)).toBe(100);
  });
});
