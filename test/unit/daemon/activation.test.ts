import { describe, expect, it } from 'vitest';
import type { Output } from '../../../server/contract/output.ts';
import { Activation } from '../../../server/daemon/activation.ts';
import type { Configuration } from '../../../server/daemon/configuration.ts';
import { InputOutputs } from '../../../server/daemon/controllers/input/input-outputs.ts';
import { Inputs } from '../../../server/daemon/controllers/input/inputs.ts';
import { Lcds } from '../../../server/daemon/controllers/lcd/lcds.ts';
import { Outputs } from '../../../server/daemon/controllers/output/outputs.ts';
import { EventRing } from '../../../server/daemon/events.ts';
import { LiveValues } from '../../../server/daemon/live-values.ts';
import { emptyPlan } from '../../../server/daemon/safety/plan.ts';
import { heaterId, simulatedOutput } from '../../support/daemon-site.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { MemoryControlStore, ScriptedActuator } from '../../support/output-bench.ts';
import { noAlarms, noWatchdog, testSafety } from '../../support/outputs-site.ts';

/** Activation over one heater whose device the test scripts. */
function heaterSite(changes: Partial<Output> = {}) {
  const clock = new ManualClock();
  const events = new EventRing(clock);
  const store = new MemoryControlStore();
  const actuator = new ScriptedActuator();
  const connected = { now: 0, ever: 0 };
  const output = { ...simulatedOutput(heaterId, 'heater'), ...changes };
  const safety = testSafety({ clock, events, store });
  const outputs = new Outputs({
    ...{ alarms: noAlarms, watchdog: noWatchdog, clock, store, events, safety, log: () => undefined },
    connect: async () => {
      connected.now += 1;
      connected.ever += 1;
      return {
        write: (channel, value) => actuator.write(channel, value),
        close: async () => void (connected.now -= 1),
      };
    },
  });
  const live = new LiveValues(clock, events);
  const inputs = new Inputs({
    ...{ clock, events, live, watchdog: noWatchdog, conversion: () => undefined },
    writer: { write: async () => undefined },
    outputs: new InputOutputs({ clock, command: (command) => outputs.command(command) }),
    connect: () => Promise.reject(new Error('there is no input')),
  });
  const configuration: Configuration = {
    inputs: () => [],
    outputs: () => [structuredClone(output)],
    facility: () => undefined,
    facilityStanding: () => 'gone',
    input: () => undefined,
    output: (id) => (id === heaterId ? structuredClone(output) : undefined),
    lcds: () => [],
    lcd: () => undefined,
    retention: () => [],
    conversion: () => undefined,
    timeZone: () => 'UTC',
    safetyPlan: () => emptyPlan,
    close: () => undefined,
  };
  const lcds = new Lcds({
    ...{ clock, events, live, watchdog: noWatchdog },
    timeZone: () => 'UTC',
    connect: () => Promise.reject(new Error('none')),
  });
  const activation = new Activation({ configuration, inputs, outputs, lcds, store, events });
  return { activation, actuator, connected, output, outputs };
}

describe('an output', () => {
  it('gets one controller, however many ask for it at once', async () => {
    const { activation, connected } = heaterSite();
    await Promise.all([
      activation.activate(heaterId),
      activation.setUpOutput('Add', heaterId),
      activation.activate(heaterId, 'Output'),
    ]);
    expect(connected).toEqual({ now: 1, ever: 1 });
  });

  it('stays stopped when it is let go while it is still being started', async () => {
    const { activation, connected, outputs } = heaterSite();
    const started = activation.activate(heaterId);
    await activation.setUpOutput('Delete', heaterId);
    await started;
    expect(outputs.has(heaterId)).toBe(false);
    expect(connected.now).toBe(0);
  });

  it('is connected once to its new wiring, however many tell of it at once', async () => {
    const { activation, connected, output } = heaterSite();
    await activation.activate(heaterId);
    output.options = { part: 'heater' };
    await Promise.all([activation.setUpOutput('Modify', heaterId), activation.refreshOutputs()]);
    expect(connected).toEqual({ now: 1, ever: 2 });
  });

  it('is taken up, changed and let go as its settings say', async () => {
    const { activation, connected, output, outputs } = heaterSite();
    expect(await activation.refresh(heaterId, true)).toEqual([0, `${heaterId} is set up`]);
    await outputs.command({ output_id: heaterId, state: true });
    output.name = 'Other';
    await activation.refresh(heaterId, true);
    expect([outputs.channel(heaterId).state().state, connected.ever]).toEqual(['on', 1]);
    output.is_activated = false;
    expect(await activation.refresh(heaterId, true)).toEqual([0, `${heaterId} is set up`]);
    expect([outputs.has(heaterId), connected.now]).toEqual([false, 0]);
  });

  it('that confirmed its safe state is let go without a word', async () => {
    const { activation } = heaterSite();
    await activation.activate(heaterId);
    expect(await activation.deactivate(heaterId)).toEqual([0, `${heaterId} is not active`]);
    await activation.activate(heaterId);
    expect(await activation.setUpOutput('Delete', heaterId)).toEqual([0, `${heaterId} is let go`]);
  });

  it.each(['unreachable', 'refused', 'timed_out'] as const)(
    'whose device is %s is let go, and nobody is told that it is safe',
    async (answer) => {
      const { activation, actuator, outputs } = heaterSite();
      const unsafe = /not confirm(ed)? .*safe state/;
      await activation.activate(heaterId);
      await outputs.command({ output_id: heaterId, state: true });
      actuator.answer = answer;
      expect(await activation.deactivate(heaterId)).toEqual([1, expect.stringMatching(unsafe)]);
      await activation.activate(heaterId);
      expect(await activation.setUpOutput('Delete', heaterId)).toEqual([1, expect.stringMatching(unsafe)]);
      expect(outputs.has(heaterId)).toBe(false);
    },
  );
});
