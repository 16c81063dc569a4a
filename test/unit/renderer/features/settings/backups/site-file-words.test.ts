import { expect, it } from 'vitest';
import { missingOf, namedSettings } from '../../../../../../renderer/features/settings/backups/site-file-words.ts';

const taken = (path: string) => ({ path, outcome: 'taken' as const, message: null });
const tooLarge = { message: 'too large', code: 'invalid_field' as const, why: 'factor_zero', values: undefined };
const refused = (path: string) => ({ path, outcome: 'refused' as const, ...tooLarge });

it('settings of a report are called as the screens call them, those of one card once', () => {
  const [conditions, place, unknown, ...others] = namedSettings([
    refused('design_conditions.wind_factor'),
    taken('lat'),
    taken('lng'),
    refused('design_conditions.heating_indoor_c'),
    taken('of_tomorrow.colour'),
  ]);
  expect(conditions).toMatchObject({
    name: 'backups.site.names.design_conditions',
    count: 2,
    refused: [tooLarge],
  });
  expect(place).toMatchObject({ name: 'backups.site.names.place', count: 1, refused: [] });
  expect(unknown).toMatchObject({ name: null, path: 'of_tomorrow.colour' });
  expect(others).toEqual([]);
});

it.each([
  [['options.password'], { placed: 0, isSecret: true }],
  [['features.3.properties.device_id', 'features.4.properties.device_id'], { placed: 2, isSecret: false }],
  [['secret', 'features.3.properties.device_id'], { placed: 1, isSecret: true }],
])('what did not come is a password or a placed device: %j', (without, found) => {
  expect(missingOf(without)).toEqual(found);
});
