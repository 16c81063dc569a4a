import { afterEach, describe, expect, it } from 'vitest';
import type { LiveState } from '../../../../server/contract/daemon.ts';
import type { HoldingRule, Output, OutputState } from '../../../../server/contract/output.ts';
import { GateConditions } from '../../../../server/daemon/alarms/gate-conditions.ts';
import type { PlanFacility, PlanSensor } from '../../../../server/daemon/safety/plan.ts';
import { alarmBench, condition } from '../../../support/alarm-bench.ts';
import { defaultAlarmLimits } from '../../../../server/contract/alarm-limits.ts';
import { simulatedOutput } from '../../../support/daemon-site.ts';
import { outputsSite } from '../../../support/outputs-site.ts';
import { controllerLists } from '../../../support/controller-lists.ts';
import { stateOf } from '../../../support/scripted-daemon.ts';

const idOf = (number: number): string => `00000000-0000-4000-8000-00000000000${number}`;
const running: { stop: () => void }[] = [];
afterEach(() => {
  for (const one of running.splice(0)) one.stop();
});

const house: PlanFacility = {
  unique_id: 'house',
  name: 'House 1',
  sensors: [],
  actuators: ['roof', 'side', 'heater'].map((output_id) => ({ role: 'roof_vent', output_id, channel: 0 })),
};

function site() {
  const bench = alarmBench();
  const states = new Map<string, LiveState['outputs'][number]>();
  const channel = { channel: 0, name: 'relay' };
  const gate = new GateConditions({
    ...bench,
    plan: () => ({ facilities: [house] }),
    configuration: controllerLists(() => ({
      output: ['roof', 'side', 'heater'].map((id) => ({ unique_id: id, name: id, channels: [channel] }) as Output), // no more is read
    })),
    stateOf: ({ output_id }) => states.get(output_id),
  });
  bench.alarms.start([]);
  gate.start();
  running.push(gate, bench.alarms);
  const hold = (output_id: string, rule: HoldingRule | null, wanted: OutputState = 'on') => {
    const state = { output_id, ...stateOf({ state: 'off' }), rule, wanted: rule === null ? null : wanted };
    states.set(output_id, state);
    bench.events.push({ kind: 'output', ...state });
  };
  const said = () =>
    bench.alarms.list().map(({ source_id, name, message, state }) => [source_id, name, message, state].join(' | '));
  return { ...bench, hold, said };
}

describe('outputs that the gate holds against what was wanted', () => {
  it('are one alarm for each rule of a house, with the outputs named, and one for each rule of the site', async () => {
    const { hold, clock, said } = site();
    hold('roof', 'wind');
    hold('side', 'wind');
    hold('heater', 'stale');
    hold('pump', 'current_limit');
    await clock.advance(35_000);
    expect(said()).toEqual([
      'house | wind | roof, side | unacknowledged',
      'house | stale | heater | unacknowledged',
      'site | current_limit | pump | unacknowledged',
    ]);
  });

  it('are none while nobody wants anything else, while they rest, and for so long as others have their turn', async () => {
    const { hold, clock, said } = site();
    hold('roof', 'wind', null);
    hold('side', 'min_off');
    hold('heater', 'emergency_stop');
    hold('pump', 'interlock');
    await clock.advance(34_000);
    hold('pump', null);
    await clock.advance(60_000);
    expect(said()).toEqual([]);
  });

  it('are the consequence of the weather that is an alarm already, and both end together', async () => {
    const { alarms, told, hold, clock, said } = site();
    const wind = condition({ code: 'wind', source_kind: 'facility', source_id: 'house', channel: null });
    hold('roof', 'wind');
    alarms.raise(wind);
    await clock.advance(60_000);
    expect(said()).toContain('house | wind | roof | suppressed');
    hold('roof', null);
    alarms.clear(wind);
    await clock.advance(301_000);
    expect(alarms.list()).toMatchObject([{ code: 'wind', state: 'returned' }]);
    expect(told.filter(({ code, state }) => code === 'safety_gate' && state === 'unacknowledged')).toEqual([]);
  });

  it('name those that came later, without another line in the journal', async () => {
    const { hold, clock, said, journal } = site();
    hold('roof', 'wind');
    await clock.advance(35_000);
    hold('side', 'wind');
    await clock.advance(5_000);
    expect(said()).toEqual(['house | wind | roof, side | unacknowledged']);
    expect(journal()).toHaveLength(1);
  });

  it('end a minute after they are held no longer', async () => {
    const { hold, clock, said } = site();
    hold('roof', 'frost');
    await clock.advance(35_000);
    hold('roof', null);
    await clock.advance(64_000);
    expect(said()).toEqual(['house | frost | roof | unacknowledged']);
    await clock.advance(1_000);
    expect(said()).toEqual(['house | frost | roof | returned']);
  });

  it('are named by the dozen at most', async () => {
    const { hold, clock, alarms } = site();
    for (let number = 1; number <= 20; number += 1) hold(`pump ${number}`, 'interlock');
    await clock.advance(35_000);
    expect(alarms.list()).toMatchObject([{ severity: 'info', source_kind: 'site' }]);
    expect(alarms.list()[0]?.message).toMatch(/^pump 1, .*, pump 12 \+8$/);
  });
});

it('the gate of a site at work is what it goes by', async () => {
  const [heater, vent] = [simulatedOutput(idOf(1), 'heater'), simulatedOutput(idOf(2), 'side_vent')];
  const limits = { ...defaultAlarmLimits, wind_m_s: 10 };
  const wind = { device_id: idOf(3), measurement_id: idOf(4) };
  const mast: PlanSensor = { role: 'outdoor_wind', name: 'mast', ...wind, weight: 1, stale_after_s: 1_000 };
  const vents = [{ role: 'roof_vent', output_id: vent.unique_id, channel: 0 }] as const;
  const facility: PlanFacility = { unique_id: 'house', name: 'House 1', sensors: [mast], actuators: vents };
  const { alarms, clock, events, outputs, safety, read, start } = outputsSite({
    plan: { limits, facilities: [facility] },
  });
  alarms.start([]);
  const configuration = controllerLists(() => ({ output: [heater, vent] }));
  const gate = new GateConditions({
    alarms,
    clock,
    configuration,
    events,
    plan: () => safety.plan,
    stateOf: (ref) => outputs.stateOf(ref),
  });
  gate.start();
  await start([heater, vent]);
  running.push(gate, alarms, safety);
  for (const { unique_id } of [heater, vent]) await outputs.command({ output_id: unique_id, state: true });
  read({ ...wind, value: 14 });
  await clock.advance(35_000);
  expect(alarms.list()).toMatchObject([{ code: 'safety_gate', name: 'wind', source_id: 'house', message: vent.name }]);
  read({ ...wind, value: 2 });
  await clock.advance(370_000);
  expect(outputs.states().map(({ state }) => state)).toEqual(['on', 100]);
  expect(alarms.list()).toMatchObject([{ code: 'safety_gate', state: 'returned' }]);
});
