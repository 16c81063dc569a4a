import { describe, expect, it } from 'vitest';
import type { PaletteCommand } from '../../../../../renderer/features/feature.ts';
import { matching } from '../../../../../renderer/features/shell/matching.ts';

const commands = ['Overview', 'Maps', 'North house', 'New map'].map((title) => ({
  id: title,
  title,
  hint: title === 'North house' ? 'House' : '',
  icon: '',
  run: () => undefined,
}));
const found = (query: string): string[] => matching(commands, query).map((command) => command.title);

describe('matching', () => {
  it('offers everything for nothing typed', () => {
    expect(found('')).toHaveLength(4);
  });

  it('wants every word, in title or hint, in any case', () => {
    expect(found('HOUSE nor')).toEqual(['North house']);
    expect(found('house east')).toEqual([]);
  });

  it('puts first what begins so', () => {
    expect(found('map')).toEqual(['Maps', 'New map']);
  });

  it('puts what begins a word before what only contains it, and alike what the site has before pages', () => {
    const one = (title: string, isOfSite: boolean): PaletteCommand => ({
      id: title,
      title,
      isOfSite,
      hint: '',
      icon: '',
      run: () => undefined,
    });
    const all = [
      one('Outside services', false),
      one('Hillside', true),
      one('Open side by side', false),
      one('Simulated side vent', true),
      one('Sides', false),
      one('Side vent', true),
    ];
    expect(matching(all, 'side').map(({ title }) => title)).toEqual([
      'Side vent',
      'Sides',
      'Simulated side vent',
      'Open side by side',
      'Hillside',
      'Outside services',
    ]);
  });
});
