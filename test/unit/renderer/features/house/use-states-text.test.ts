// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import { useStatesText } from '../../../../../renderer/features/house/use-states-text.ts';
import { mounted } from '../../ui/mounted.ts';

function texts(): ReturnType<typeof useStatesText> {
  let made: ReturnType<typeof useStatesText> | undefined;
  const host = defineComponent({
    setup() {
      made = useStatesText();
      return () => h('i');
    },
  });
  mounted(host, {});
  if (made === undefined) throw new Error('the host was not set up');
  return made;
}

const dimmers = (...positions: (number | null)[]) =>
  positions.map((position_pct) => ({ position_pct, isSwitch: false }));
const switches = (...positions: (number | null)[]) =>
  positions.map((position_pct) => ({ position_pct, isSwitch: true }));

const unbound = { position_pct: null, isSwitch: true, isUnbound: true } as const;

describe('the states of several devices', () => {
  it('leaves out what no device is bound to, and calls it so where there is nothing else', () => {
    const { positionsText, statesText } = texts();
    expect([positionsText([unbound]), statesText([unbound])]).toEqual(['not bound', 'not bound']);
    expect([positionsText([...dimmers(60), unbound]), statesText([...switches(0), unbound])]).toEqual([
      '60\u202f%',
      'Off',
    ]);
  });

  it.each([
    [dimmers(60), '60\u202f%'],
    [dimmers(60, 60), '60\u202f%'],
    [dimmers(60, 0), '60\u202f% · 0\u202f%'],
    [dimmers(60, null), '60\u202f% · Unknown'],
    [dimmers(10, 80, 30, 20), '10–80\u202f%'],
    [dimmers(10, 80, 30, null), '10–80\u202f% · Unknown'],
    [dimmers(null, null), 'Unknown'],
  ])('as positions: %j are %s', (devices, said) => expect(texts().positionsText(devices)).toBe(said));

  it.each([
    [switches(100), 'On'],
    [switches(0), 'Off'],
    [switches(0, 0), '0 of 2 on'],
    [switches(100, 0), '1 of 2 on'],
    [switches(100, 100), '2 of 2 on'],
    [switches(100, null), '1 of 2 on · Unknown'],
    [switches(null), 'Unknown'],
    [dimmers(0), '0\u202f%'],
    [dimmers(40), '40\u202f%'],
  ])('in short: %j are %s', (devices, said) => expect(texts().statesText(devices)).toBe(said));
});
