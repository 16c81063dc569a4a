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

  it('says of a dimmer how far it is, whatever words its driver has for the ends', () => {
    const texts = ['on', 'off', 40, null].map((state) =>
      mounted(StateBadge, { props: { state, kind: 'dimmer' } }).text(),
    );
    expect(texts).toEqual(['100\u202f%', '0\u202f%', '40\u202f%', 'Unknown']);
  });

  it('draws on, off and unknown with three shapes', () => {
    const shapes = ['on', 'off', null].map((state) =>
      mounted(StateBadge, { props: { state } }).find('path').attributes('d'),
    );
    expect(new Set(shapes).size).toBe(3);
  });
});
