import { describe, expect, it } from 'vitest';
import { functionSettings, type FunctionSettings } from '../../../../server/contract/function.ts';
import type { Output } from '../../../../server/contract/output.ts';
import { Activation } from '../../../../server/daemon/controllers/activation.ts';
import { Alarms } from '../../../../server/daemon/alarms/alarms.ts';
import type { Configuration } from '../../../../server/daemon/configuration/configuration.ts';
import { Errands } from '../../../../server/daemon/controllers/actions/errands.ts';
import { ControllerSet } from '../../../../server/daemon/controllers/controller-set.ts';
import { MethodCurves } from '../../../../server/daemon/controllers/method/curves.ts';
import { ToldStatuses } from '../../../../server/daemon/controllers/told-statuses.ts';
import { Outputs } from '../../../../server/daemon/controllers/output/outputs.ts';
import { EventRing } from '../../../../server/daemon/events/events.ts';
import { LiveValues } from '../../../../server/daemon/events/live-values.ts';
import { emptyPlan } from '../../../../server/daemon/safety/plan.ts';
import { Watchdog } from '../../../../server/daemon/alarms/watchdog.ts';
import { controllerLists } from '../../../support/controller-lists.ts';
import { measuredOf } from '../../../support/measured.ts';
import { heaterId, simulatedOutput } from '../../../support/daemon-site.ts';
import { ManualClock } from '../../../support/manual-clock.ts';
import { MemoryControlStore, ScriptedActuator } from '../../../support/output-bench.ts';
import { noAlarms, noWatchdog, testSafety } from '../../../support/outputs-site.ts';

/** Activation over one heater whose device the test scripts. */
function heaterSite(changes: Partial<Output> = {}, functions: readonly FunctionSettings[] = []) {
  const clock = new ManualClock();
  const events = new EventRing(clock);
  const store = new MemoryControlStore();
  const actuator = new ScriptedActuator();
  const connected = { now: 0, ever: 0 };
  const output = { ...simulatedOutput(heaterId, 'heater'), ...changes };
  const safety = testSafety({ clock, events, store });
  const outputs = new Outputs({
    alarms: noAlarms,
    watchdog: noWatchdog,
    clock,
    store,
    events,
    safety,
    log: () => undefined,
    connect: async () => {
      connected.now += 1;
      connected.ever += 1;
      return {
        write: (channel, value) => actuator.write(channel, value),
        close: async () => void (connected.now -= 1),
      };
    },
  });
  const configuration: Configuration = {
    ...controllerLists(() => ({ output: [output], function: functions })),
    facility: () => undefined,
    facilityStanding: () => 'gone',
    retention: () => [],
    conversion: () => undefined,
    timeZone: () => 'UTC',
    place: () => ({ lat: 0, lng: 0, time_zone: 'UTC' }),
    reader: () => ({ language: 'en', time_zone: 'UTC' }),
    safetyPlan: () => emptyPlan,
    version: () => '',
    close: () => undefined,
  };
  const alarms = new Alarms({ clock, events, store, log: () => undefined });
  const fail = (): never => {
    throw new Error('nothing controls here');
  };
  const nothing = () => Promise.reject(new Error('nothing controls here'));
  const controllers = new ControllerSet({
    clock,
    configuration,
    store,
    events,
    alarms,
    safety,
    outputs,
    log: () => undefined,
    watchdog: new Watchdog({ clock, alarms }),
    live: new LiveValues(clock, events),
    writer: { write: async () => undefined },
    measured: measuredOf(() => ({})),
    reader: { exportPage: nothing },
    actions: {
      outputs,
      alarms,
      activate: nothing,
      pid: fail,
      lcd: nothing,
      function: nothing,
      errands: new Errands({ clock, events }),
    },
    curves: new MethodCurves(configuration),
    told: new ToldStatuses(events),
    connect: () => Promise.reject(new Error('there is only the heater')),
  });
  const activation = new Activation({ configuration, controllers, store, events });
  return { activation, actuator, connected, output, outputs };
}

it('is refused to programs where another controller drives its output, and a restart does not remember it', async () => {
  const frost = (n: number): FunctionSettings =>
    functionSettings.parse({
      unique_id: `00000000-0000-4000-8000-0000000000e${n}`,
      name: `Frost ${n}`,
      is_activated: true,
      kind: 'bang_bang',
      options: {
        period_s: 10,
        direction: 'raise',
        setpoint: 5,
        hysteresis: 1,
        output: { output_id: heaterId },
        measurement: { device_id: heaterId, measurement_id: heaterId, max_age_s: 60 },
      },
    });
  const [first, second] = [frost(1), { ...frost(2), is_activated: false }];
  const { activation } = heaterSite({}, [first, second]);
  expect(await activation.obey(first.unique_id, true)).toEqual([0, `${first.unique_id} is active`]);
  const refused = [1, 'output_driven: its output is driven by function "Frost 1"'];
  expect(await activation.obey(second.unique_id, true)).toEqual(refused);
  expect(activation.isActive(second.unique_id)).toBe(false);
  expect(activation.isWanted(second)).toBe(false);
  await activation.deactivate(first.unique_id);
  expect((await activation.obey(second.unique_id, true))[0]).toBe(0);
  await activation.deactivate(second.unique_id);
});

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
