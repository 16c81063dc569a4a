import { describe, expect, it } from 'vitest';
import type { SensorRole } from '../../../../../server/contract/facility-binding.ts';
import {
  houseOf,
  housesBeside,
  otherHouse,
  type HouseSensors,
} from '../../../../../renderer/features/trends/other-house.ts';

/** A house that binds `role: channel` of a device with its own name. */
function house(unique_id: string, sensors: readonly (readonly [role: SensorRole, key: string])[]): HouseSensors {
  return {
    unique_id,
    name: unique_id,
    sensors: sensors.map(([role, key]) => {
      const [device_id = '', measurement_id = ''] = key.split('/');
      return { role, device_id, measurement_id };
    }),
  };
}

const north = house('north', [
  ['indoor_temp', 'n/air'],
  ['indoor_humidity', 'n/damp'],
  ['indoor_temp', 'n/air2'],
  ['indoor_co2', 'n/co2'],
  ['outdoor_temp', 'w/air'],
]);
const south = house('south', [
  ['indoor_humidity', 's/damp'],
  ['indoor_temp', 's/air'],
  ['outdoor_temp', 'w/air'],
]);
const east = house('east', [
  ['indoor_temp', 'e/air'],
  ['indoor_temp', 'e/air2'],
]);
const houses = [north, south, east];

describe('the channel of another house', () => {
  it.each([
    [
      'is the sensor of the same role',
      ['n/air', 'n/damp'],
      south,
      [
        ['n/air', 's/air'],
        ['n/damp', 's/damp'],
      ],
      [],
    ],
    ['is the second of the second', ['n/air2'], east, [['n/air2', 'e/air2']], []],
    ['is the last where there are fewer, once', ['n/air', 'n/air2'], south, [['n/air', 's/air']], []],
    ['is none of a role that it lacks', ['n/co2', 'n/air'], south, [['n/air', 's/air']], ['n/co2']],
    ['is none of what no house binds', ['x/air'], south, [], ['x/air']],
    ['is none of what the other house measures itself', ['s/air'], south, [], ['s/air']],
    ['is not drawn twice when it was chosen too', ['n/air', 's/air'], south, [], ['s/air']],
    ['is not drawn again when both share a sensor', ['w/air'], south, [], []],
    ['is found from a house between others', ['s/air', 'n/air'], east, [['s/air', 'e/air']], []],
  ] as const)('%s', (_, chosen, other, pairs, missing) => {
    expect(otherHouse(chosen, houses, other)).toEqual({ pairs: pairs.map(([of, key]) => ({ of, key })), missing });
  });
});

it.each([
  ['a channel of a house: the others', ['n/air'], ['south', 'east']],
  ['channels of two houses: all', ['n/air', 's/air'], ['north', 'south', 'east']],
  ['a sensor that some share: those that have it not', ['w/air'], ['east']],
  ['a channel of no house: none', ['x/air'], []],
] as const)('offers houses to compare with, for %s', (_, chosen, offered) => {
  expect(housesBeside(chosen, houses).map(({ name }) => name)).toEqual(offered);
});

it('names the house of a channel, none of one that no house binds', () => {
  expect(['s/air', 'w/air', 'x/air'].map((key) => houseOf(key, houses)?.name)).toEqual(['south', 'north', undefined]);
});
