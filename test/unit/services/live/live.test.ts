import { describe, expect, it, onTestFinished } from 'vitest';
import { LiveCache, type LiveEvent } from '../../../../server/services/live/live.ts';
import { ScriptedDaemon, stateOf } from '../../../support/scripted-daemon.ts';

const output_id = '00000000-0000-4000-8000-00000000000a';
const device_id = '00000000-0000-4000-8000-00000000000b';
const measurement_id = '00000000-0000-4000-8000-00000000000c';
const startMs = Date.parse('2026-03-01T06:00:00Z');

function reading(value: number, timeMs: number) {
  return { device_id, measurement_id, channel: 0, value, unit: 'C', quality: 'good' as const, time_ms: timeMs };
}

/** A cache over a scripted daemon; `retry` lets its next try happen. */
function setUp() {
  const clock = { ms: startMs, set_ms: 0 };
  const daemon = new ScriptedDaemon(() => clock.ms);
  const tries: (() => void)[] = [];
  const warnings: string[] = [];
  const events: LiveEvent[] = [];
  const waiting: (() => void)[] = [];
  const live = new LiveCache({
    daemon,
    clock: () => clock.ms,
    elapsed: () => clock.ms - clock.set_ms,
    log: { warn: (message) => void warnings.push(message) },
    pause: (_, signal) =>
      new Promise((resolve) => {
        tries.push(() => resolve(undefined));
        signal.addEventListener('abort', () => resolve(undefined));
        for (const resume of waiting.splice(0)) resume();
      }),
  });
  live.subscribe((event) => events.push(event));
  onTestFinished(() => live.stop());
  return {
    clock,
    daemon,
    live,
    warnings,
    events,
    /** Resolves when a try has failed. */
    failed: () => (tries.length > 0 ? Promise.resolve() : new Promise<void>((resolve) => waiting.push(resolve))),
    retry: () => tries.shift()?.(),
    kinds: () => events.map((event) => event.kind),
  };
}

async function started() {
  const all = setUp();
  all.daemon.outputs.push({ output_id, ...stateOf({ state: 'on', on_seconds: 5 }) });
  all.daemon.measurements.push(reading(20, startMs - 500));
  all.daemon.controllers.push({ controller_id: device_id, controller_type: 'Input', state: 'running', reason: null });
  all.live.start();
  await all.daemon.polled();
  return all;
}

describe('LiveCache', () => {
  it('knows nothing before it is started', () => {
    const { live } = setUp();
    expect(live.daemonState).toBe('starting');
    expect(live.outputState(output_id, 0)).toMatchObject({ state: null, quality: 'unknown' });
  });

  it('loads the whole picture and tells readers to read again', async () => {
    const { live, events } = await started();
    expect(live.daemonState).toBe('up');
    expect(live.daemonStatus?.version).toBe('1.2.3');
    expect(live.reading(device_id, measurement_id)?.value).toBe(20);
    expect(live.controllers()).toHaveLength(1);
    expect(events).toEqual([{ kind: 'reset', id: 'b1:0' }]);
  });

  it('lets on_seconds run on between two events', async () => {
    const { live, clock } = await started();
    clock.ms += 7_000;
    expect(live.outputState(output_id, 0).on_seconds).toBe(12);
  });

  it('lets on_seconds of a duty cycle run on only while its contact is on', async () => {
    const { live, daemon, clock } = await started();
    daemon.emit({ kind: 'output', output_id, ...stateOf({ state: 40, contact: 'off', on_seconds: 0 }) });
    await daemon.polled();
    clock.ms += 7_000;
    expect(live.outputState(output_id, 0)).toMatchObject({ state: 40, contact: 'off', on_seconds: 0 });
  });

  it('follows events, passes them on and changes its stamp', async () => {
    const { live, daemon, kinds } = await started();
    const before = live.stamp([output_id]);
    daemon.emit({ kind: 'output', output_id, ...stateOf({ state: 40 }), outcome: 'confirmed' });
    await daemon.polled();
    expect(live.outputState(output_id, 0).state).toBe(40);
    expect(live.stamp([output_id])).not.toBe(before);
    expect(kinds()).toEqual(['reset', 'output']);
  });

  it('keeps the stamp of devices that nothing happened to', async () => {
    const { live, daemon } = await started();
    const before = live.stamp([output_id]);
    daemon.emit({ kind: 'measurement', ...reading(21, startMs) });
    await daemon.polled();
    expect(live.stamp([output_id])).toBe(before);
    expect(live.stamp([output_id, device_id])).not.toBe(before);
  });

  it('takes what it heard last for the newest, though the clock was set back since', async () => {
    const { live, daemon, clock } = await started();
    const year = 365 * 86_400_000;
    daemon.emit({ kind: 'measurement', ...reading(21, startMs + year) });
    await daemon.polled();
    clock.ms += 5_000;
    expect(live.age_s(device_id, measurement_id)).toBe(5);
    daemon.emit({ kind: 'measurement', ...reading(22, clock.ms) });
    await daemon.polled();
    expect(live.reading(device_id, measurement_id)?.value).toBe(22);
  });

  it('counts ages by the time that passes, also what the daemon says of one', async () => {
    const { live, daemon, clock } = setUp();
    daemon.measurements.push({ ...reading(20, startMs + 400 * 86_400_000), age_s: 90 });
    live.start();
    await daemon.polled();
    expect(live.age_s(device_id, measurement_id)).toBe(90);
    clock.ms += 10_000;
    clock.ms -= 86_400_000;
    clock.set_ms -= 86_400_000;
    expect(live.age_s(device_id, measurement_id)).toBe(100);
  });

  it('keeps a failed command until one succeeds', async () => {
    const { live, daemon } = await started();
    daemon.emit({ kind: 'output', output_id, ...stateOf({}), outcome: 'failed', message: 'no answer' });
    await daemon.polled();
    expect(live.knownOutput(output_id, 0)?.failure?.message).toBe('no answer');
    daemon.emit({ kind: 'output', output_id, ...stateOf({ wanted: 'on' }) });
    daemon.emit({ kind: 'output', output_id, ...stateOf({ wanted: 'on' }), outcome: 'blocked' });
    await daemon.polled();
    expect(live.knownOutput(output_id, 0)?.failure).not.toBeNull();
    daemon.emit({ kind: 'output', output_id, ...stateOf({}), outcome: 'confirmed' });
    await daemon.polled();
    expect(live.knownOutput(output_id, 0)?.failure).toBeNull();
  });

  it('keeps no failed command of a channel that was found as the command asked', async () => {
    const { live, daemon } = await started();
    const lost = stateOf({ state: null, quality: 'unknown' });
    for (const code of ['refused', 'unreachable']) {
      daemon.emit({ kind: 'output', output_id, ...lost, outcome: 'failed', code, requested: 'off' });
      daemon.emit({ kind: 'output', output_id, ...stateOf({ state: 'off' }) });
      await daemon.polled();
      expect(live.knownOutput(output_id, 0)?.failure === null).toBe(code === 'unreachable');
    }
  });

  it('says that outputs are unknown once the daemon is lost, and keeps readings with their times', async () => {
    const { live, daemon, failed, events, warnings } = await started();
    daemon.break();
    await failed();
    expect(live.daemonState).toBe('unreachable');
    expect(live.outputState(output_id, 0)).toMatchObject({ state: null, quality: 'unknown', on_seconds: null });
    expect(live.controllers()).toEqual([]);
    expect(live.reading(device_id, measurement_id)?.time_ms).toBe(startMs - 500);
    expect(events.at(-1)).toMatchObject({ kind: 'daemon', state: 'unreachable', id: 'b1:0' });
    expect(live.absence()).toMatchObject({ state: 'unreachable' });
    expect(warnings).toHaveLength(1);
  });

  it('tells of the loss once, however often it tries', async () => {
    const { daemon, failed, retry, kinds } = await started();
    daemon.break();
    await failed();
    retry();
    await failed();
    expect(kinds().filter((kind) => kind === 'daemon')).toHaveLength(1);
  });

  it('reads everything again when the daemon is back', async () => {
    const { live, daemon, failed, retry, events } = await started();
    daemon.break();
    await failed();
    daemon.failure = undefined;
    daemon.restart();
    retry();
    await daemon.polled();
    expect(live.daemonState).toBe('up');
    expect(live.outputState(output_id, 0).state).toBe('on');
    expect(events.at(-1)).toEqual({ kind: 'reset', id: "b1':0" });
    expect(live.eventsAfter('b1:0')).toBeNull();
  });

  it('counts a daemon that never answered as starting for ten seconds', async () => {
    const { live, clock, daemon, failed, retry } = setUp();
    daemon.break();
    live.start();
    await failed();
    expect(live.daemonState).toBe('starting');
    clock.ms += 10_000;
    retry();
    await failed();
    expect(live.daemonState).toBe('unreachable');
  });

  it('shows the state of a command before its event comes', async () => {
    const { live } = await started();
    live.noteOutput(output_id, stateOf({ state: 'off' }));
    expect(live.outputState(output_id, 0).state).toBe('off');
  });

  it('takes no state that a command was answered before the events it knows', async () => {
    const { live, daemon } = await started();
    const before = live.cursor;
    daemon.emit({ kind: 'output', output_id, ...stateOf({ state: 40 }), outcome: 'confirmed' });
    await daemon.polled();
    live.noteOutput(output_id, stateOf({ state: 'on', pending: true }), before);
    expect(live.outputState(output_id, 0)).toMatchObject({ state: 40, pending: false });
    const [boot = '', last] = live.cursor.split(':');
    live.noteOutput(output_id, stateOf({ state: 60 }), `${boot}:${Number(last) + 1}`);
    expect(live.outputState(output_id, 0).state).toBe(60);
  });

  it('goes on when a listener throws', async () => {
    const { live, daemon, kinds, warnings } = await started();
    live.subscribe(() => {
      throw new Error('broken page');
    });
    daemon.emit({ kind: 'daemon', state: 'stopping', message: '' });
    await daemon.polled();
    expect(kinds()).toEqual(['reset', 'daemon']);
    expect(warnings).toEqual(['a listener of live events failed: broken page']);
  });
});
