import { describe, expect, it } from 'vitest';
import { climateKind } from '../../../../server/contract/climate.ts';
import { climateDefaults, climateSettings } from '../../../../server/contract/climate-settings.ts';
import { functionSettings } from '../../../../server/contract/function.ts';
import type { Input } from '../../../../server/contract/input.ts';
import type { Output } from '../../../../server/contract/output.ts';
import { currentNeeds, needsOf, noticing_s } from '../../../../server/daemon/alarms/needs.ts';
import { periods } from '../../../support/climate-house.ts';
import { newFacility } from '../../../support/commissioning-bench.ts';
import { controllerLists } from '../../../support/controller-lists.ts';
import { heaterId, indoorId, plainChannel, simulatedOutput, ventId } from '../../../support/daemon-site.ts';
import { pidId, venting } from '../../../support/pid-bench.ts';

const gateway = { id: 'modbus 10.0.0.9:502', name: '10.0.0.9:502' };
const wired = { driver: 'modbus', options: { host: '10.0.0.9', registers: [] } };
const input = (unique_id: string, changes: Partial<Input> = {}): Input => ({
  unique_id,
  name: 'Indoors',
  period_s: 60,
  start_offset_s: 0,
  pre_output: null,
  power_output: null,
  is_activated: true,
  channels: [plainChannel],
  ...wired,
  ...changes,
});
const vent: Output = { ...simulatedOutput(ventId, 'side_vent'), ...wired };
const heater = simulatedOutput(heaterId, 'heater');
const windId = '00000000-0000-4000-8000-0000000000c1';
const climateId = '00000000-0000-4000-8000-0000000000c2';
const broker = { driver: 'mqtt', options: { host: 'broker', tls: true } };
const wind = input(windId, { name: 'Wind', ...broker });
const house = newFacility(
  [
    { role: 'indoor_temp', name: 'air', input: input(indoorId) },
    { role: 'outdoor_wind', name: 'wind', input: wind },
  ],
  [
    { role: 'side_vent', name: 'vent', output: vent },
    { role: 'co2_supply', name: 'co2', output: heater },
  ],
);
const climate = climateSettings.parse(
  climateKind.stored?.settled?.({
    unique_id: climateId,
    name: 'Climate',
    is_activated: true,
    facility_uuid: house.unique_id,
    periods,
    ventilation: { ...climateDefaults.ventilation, is_on: true },
    co2: { ...climateDefaults.co2, is_on: false },
  }),
);
const sumId = '00000000-0000-4000-8000-0000000000c3';
const sum = functionSettings.parse({
  unique_id: sumId,
  name: 'Warmth',
  is_activated: true,
  kind: 'degree_hours',
  options: { period_s: 300, base_c: 10, temperature: venting.measurement },
});
const lists = {
  function: [sum],
  input: [input(indoorId), wind],
  output: [vent, heater],
  pid: [venting],
  climate: [climate],
};
const configuration = {
  ...controllerLists(() => lists),
  facility: (id: string) => (id === house.unique_id ? house : undefined),
};

const told = (id: string) => needsOf(configuration, id).map(({ source_id, role }) => [source_id, role]);

describe('what a source needs', () => {
  it('is its connection, of a device on one', () => {
    expect(told(indoorId)).toEqual([[gateway.id, null]]);
    expect(told(windId)).toEqual([['mqtt broker:8883', null]]);
    expect(told(heaterId)).toEqual([]);
  });

  it('is what a controller reads and commands, and their connections', () => {
    expect(told(pidId)).toEqual([
      [indoorId, null],
      [gateway.id, null],
      [ventId, null],
    ]);
  });

  it('is the sensors of the house of a climate program, each for its role, and the actuators that it drives', () => {
    const found = told(climateId);
    expect(found).toEqual(
      expect.arrayContaining([
        [indoorId, 'indoor_temp'],
        [gateway.id, 'indoor_temp'],
        [windId, 'outdoor_wind'],
        ['mqtt broker:8883', 'outdoor_wind'],
        [ventId, 'side_vent'],
      ]),
    );
    expect(found.map(([id]) => id)).not.toContain(heaterId);
  });

  it('is the sensors without which the outputs of a house are held', () => {
    expect(told(house.unique_id).map(([id]) => id)).toEqual([indoorId, gateway.id, windId, 'mqtt broker:8883']);
  });

  it('follows its settings at once, and is read only when they have changed', () => {
    const file = { version: '1', read: 0, measured: indoorId };
    const pid = () => ({ ...venting, measurement: { ...venting.measurement, device_id: file.measured } });
    const { get } = controllerLists(() => {
      file.read += 1;
      return { ...lists, pid: [pid()] };
    });
    const needs = currentNeeds({ ...configuration, get, version: () => file.version });
    const ids = () => needs(pidId).map(({ source_id }) => source_id);
    expect(ids()).toEqual([indoorId, gateway.id, ventId]);
    const { read } = file;
    expect(ids()).toEqual([indoorId, gateway.id, ventId]);
    expect(file.read).toBe(read);
    Object.assign(file, { version: '2', measured: windId });
    expect(ids()).toEqual([windId, 'mqtt broker:8883', ventId, gateway.id]);
  });

  it('is nothing of what is unknown', () => {
    expect(told('daemon')).toEqual([]);
  });
});

it('a source has its period, and a device its longest pause, to notice that what it needs is back', () => {
  expect(noticing_s(configuration, indoorId)).toBe(100);
  expect(noticing_s(configuration, ventId)).toBe(40);
  expect(noticing_s(configuration, pidId)).toBe(50);
  expect(noticing_s(configuration, sumId)).toBe(340);
});
