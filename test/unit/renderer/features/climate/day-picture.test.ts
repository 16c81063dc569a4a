// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import DayPicture from '../../../../../renderer/features/climate/DayPicture.vue';
import { setpointNames } from '../../../../../server/contract/climate-settings.ts';
import { mounted } from '../../ui/mounted.ts';

const at = (hour: number, minute = 0): number => new Date(2026, 10, 28, hour, minute).getTime();
const times = [at(18, 35), at(18, 40), at(18, 45), at(18, 50)];
const along = (values: readonly number[]) => ({ values, period: values, shift: [], shares: [] });
const preview = {
  times,
  periods: ['Evening', 'Evening', 'Night', 'Night'],
  forecast: null,
  sun: { sunrises: [], sunsets: [] },
  setpoints: Object.fromEntries(setpointNames.map((name) => [name, along([20, 20, 17, 17])])),
};

it('reads the period that has begun now, and what is measured in none that has not', async () => {
  const page = mounted(DayPicture, {
    props: {
      preview,
      changed: null,
      measured: null,
      measuredC: 18.4,
      nowMs: at(18, 43),
      span: [at(0), at(24)],
    },
  });
  expect(page.get('.reading__title').text()).toBe('18:43 Evening');
  expect(page.text()).toMatch(/Heating 20\.0.*Measured indoors 18\.4/s);
  await page.get('input').setValue(2);
  expect(page.get('.reading__title').text()).toBe('18:45 Night');
  expect(page.text()).toContain('Heating 17.0');
  expect(page.text()).not.toContain('Measured indoors');
});
