// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import StateBadge from '../../../../renderer/ui/StateBadge.vue';
import { mounted } from './mounted.ts';

describe('StateBadge', () => {
  it.each([
    ['on', 'On'],
    ['off', 'Off'],
    [40, '40\u202f%'],
    [null, 'Unknown'],
    [undefined, 'Unknown'],
  ])('says of %s: %s', (state, text) => {
    expect(mounted(StateBadge, { props: { state } }).text()).toBe(text);
  });

  it('draws on, off and unknown with three shapes', () => {
    const shapes = ['on', 'off', null].map((state) =>
      mounted(StateBadge, { props: { state } }).find('path').attributes('d'),
    );
    expect(new Set(shapes).size).toBe(3);
  });
});
