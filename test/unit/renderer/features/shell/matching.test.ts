import { describe, expect, it } from 'vitest';
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
});
