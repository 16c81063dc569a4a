import { describe, expect, it } from 'vitest';
import { whereOf } from '../../../../../renderer/features/trends/channels.ts';
import {
  boxesOf,
  kindOf,
  meanState,
  outputsOf,
  stateAt,
  switchAt,
  toldBox,
} from '../../../../../renderer/features/trends/states.ts';

const states = [
  { from_ms: 0, to_ms: 10, state: 100 },
  { from_ms: 10, to_ms: 40, state: 0 },
  { from_ms: 60, to_ms: 80, state: null },
];

it.each([
  [100, 'on'],
  [40, 'position'],
  [0, 'off'],
  [null, 'unknown'],
  [undefined, 'unrecorded'],
] as const)('%s is %s', (state, kind) => {
  expect(kindOf(state)).toBe(kind);
});

it.each([
  [0, 100],
  [10, 0],
  [40, undefined],
  [79, null],
  [80, undefined],
])('at %d the state is %s', (atMs, state) => {
  expect(stateAt(states, atMs)).toBe(state);
});

it('finds what began the state of a moment, and nothing where that is left out or nothing was recorded', () => {
  const switches = [60, 10].map((atMs) => ({ at_ms: atMs, state: 0, origin: null }));
  const output = { key: '', house: '', device: '', name: '', isSwitch: true };
  const strip = { ...output, isComplete: true, hasAllSwitches: false, states, switches };
  const found = [5, 10, 39, 50, 79].map((atMs) => switchAt(strip, atMs)?.at_ms);
  expect(found).toEqual([undefined, 10, 10, undefined, 60]);
});

it('counts what is unknown or not recorded neither as on nor as off', () => {
  expect(meanState(states)).toBe(25);
  expect(meanState([{ from_ms: 0, to_ms: 10, state: 40 }, ...states.slice(1)])).toBe(10);
  expect(meanState(states.slice(2))).toBeNull();
});

it('tells of the whole span, or from the oldest state on where older ones are left out', () => {
  const span = { from_ms: 5, to_ms: 105 };
  const boxOf = (from: number, isComplete: boolean) => toldBox({ states: states.slice(from), isComplete }, span, 200);
  expect([boxOf(2, true), boxOf(2, false), boxOf(0, false)]).toEqual([
    { x: 0, width: 200 },
    { x: 110, width: 90 },
    { x: 0, width: 200 },
  ]);
});

describe('boxesOf', () => {
  it('places states on the axis, cut by its ends, and nothing where nothing was recorded', () => {
    expect(boxesOf(states, { from_ms: 5, to_ms: 105 }, 200)).toEqual([
      { kind: 'on', x: 0, width: 10, fill: 1 },
      { kind: 'off', x: 10, width: 60, fill: 0.3 },
      { kind: 'unknown', x: 110, width: 40, fill: 1 },
    ]);
  });

  it('keeps the shortest visible, and a vent that is hardly open', () => {
    const [box] = boxesOf([{ from_ms: 50, to_ms: 51, state: 1 }], { from_ms: 0, to_ms: 100_000 }, 100);
    expect(box).toMatchObject({ kind: 'position', width: 0.5, fill: 0.3 });
  });
});

it('names the channel of an output as a person does, and one that its driver named in the language of the page', () => {
  const channels = [
    { channel: 0, name: 'Switch', kind: 'switch' as const },
    { channel: 1, name: 'North lamps', kind: 'dimmer' as const },
    { channel: 2, name: 'Fogger', kind: 'switch' as const, is_cycled: true },
  ];
  const device = { unique_id: 'a', kind: 'output' as const, name: 'Lamps', driver: 'simulated', channels };
  const named = outputsOf([{ ...device, is_activated: true, locations: [] }], new Map([['a', 'North']]), (key) => key);
  expect(named.map(({ name }) => name)).toEqual([
    'devices.choices.part.switch',
    'North lamps',
    'devices.choices.part.fogger',
  ]);
  expect(named.map(({ isSwitch }) => isSwitch)).toEqual([true, false, false]);
  expect(new Set(named.map(whereOf))).toEqual(new Set(['North · Lamps']));
});
