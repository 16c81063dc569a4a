// @vitest-environment happy-dom
import type { VueWrapper } from '@vue/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import MomentField from '../../../../renderer/ui/MomentField.vue';
import { useSettings } from '../../../../renderer/stores/settings.ts';
import { mounted } from './mounted.ts';

function field(modelValue?: string): VueWrapper {
  const wrapper = mounted(MomentField, { props: { label: 'From', modelValue } });
  useSettings().$patch({ site: { time_zone: 'Asia/Seoul' } });
  return wrapper;
}

const given = (wrapper: VueWrapper): unknown => wrapper.emitted('update:modelValue')?.at(-1)?.[0];

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-06-30T20:00:00Z') });
});

afterEach(() => {
  vi.useRealTimers();
});

describe('A moment', () => {
  it('is entered by the clock of the site, whatever the hours of the browser', async () => {
    const wrapper = field();
    await wrapper.find('[type=date]').setValue('2026-06-01');
    await wrapper.find('[type=text]').setValue('1845');
    expect(given(wrapper)).toBe('2026-06-01T09:45:00.000Z');
  });

  it('is the beginning of a date alone', async () => {
    const wrapper = field();
    await wrapper.find('[type=date]').setValue('2026-06-01');
    expect(given(wrapper)).toBe('2026-05-31T15:00:00.000Z');
  });

  it('is today at the site for a time alone', async () => {
    const wrapper = field();
    await wrapper.find('[type=text]').setValue('6:30');
    expect(given(wrapper)).toBe('2026-06-30T21:30:00.000Z'); // 1 July in Seoul
  });

  it('is none while its time is not one, which is said when the field is left', async () => {
    const wrapper = field('2026-06-30T20:00:00.000Z');
    const clock = wrapper.find<HTMLInputElement>('[type=text]');
    await clock.trigger('focus');
    await clock.setValue('25');
    expect(given(wrapper)).toBeUndefined();
    expect(wrapper.text()).not.toContain('Not a time');
    await clock.trigger('blur');
    expect(wrapper.text()).toContain('Not a time of day');
    expect(clock.element.value).toBe('25');
  });

  it('is emptied from outside', async () => {
    const wrapper = field('2026-06-30T20:00:00.000Z');
    await wrapper.setProps({ modelValue: undefined });
    expect(wrapper.findAll('input').map(({ element }) => element.value)).toEqual(['', '']);
  });
});
