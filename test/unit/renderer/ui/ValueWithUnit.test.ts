// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import ValueWithUnit from '../../../../renderer/ui/ValueWithUnit.vue';
import { mounted } from './mounted.ts';

const nowMs = Date.UTC(2026, 5, 1, 12);

describe('ValueWithUnit', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: nowMs });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('shows value, unit and age', () => {
    const wrapper = mounted(ValueWithUnit, { props: { value: 21.46, unit: 'C', timeMs: nowMs - 5_000 } });
    expect(wrapper.text()).toContain('21.5\u202f°C');
    expect(wrapper.text()).toContain('5 s ago');
    expect(wrapper.classes()).not.toContain('value--stale');
  });

  it('greys a stale value, in words too, and keeps its age', () => {
    const wrapper = mounted(ValueWithUnit, {
      props: { value: 21, unit: 'C', timeMs: nowMs - 300_000, quietAge: true },
    });
    expect(wrapper.classes()).toContain('value--stale');
    expect(wrapper.text()).toContain('Old');
    expect(wrapper.text()).toContain('5 min ago');
  });

  it('becomes stale while nobody touches it', async () => {
    const wrapper = mounted(ValueWithUnit, { props: { value: 21, unit: 'C', timeMs: nowMs - 59_000 } });
    expect(wrapper.classes()).not.toContain('value--stale');
    await vi.advanceTimersByTimeAsync(2_000);
    expect(wrapper.classes()).toContain('value--stale');
  });

  it('is not stale as long as who knows the period of the sensor says that it is good', () => {
    const read = { value: 21, unit: 'C', timeMs: nowMs - 240_000 };
    const said = mounted(ValueWithUnit, { props: { ...read, quality: 'good' } });
    expect([said.classes('value--stale'), said.text().includes('Old')]).toEqual([false, false]);
    const limited = mounted(ValueWithUnit, { props: { ...read, quality: 'good', staleAfterS: 180 } });
    expect(limited.classes()).toContain('value--stale');
  });

  it.each([null, undefined])('shows %s as unknown, never as a number', (value) => {
    const wrapper = mounted(ValueWithUnit, { props: { value, unit: 'C' } });
    expect(wrapper.text()).toContain('Unknown');
    expect(wrapper.text()).not.toMatch(/\d/);
  });

  it('names a bad reading', () => {
    const wrapper = mounted(ValueWithUnit, { props: { value: 900, unit: 'C', timeMs: nowMs, quality: 'bad' } });
    expect(wrapper.text()).toContain('Bad reading');
  });
});
