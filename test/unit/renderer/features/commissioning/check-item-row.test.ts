// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import CheckItemRow from '../../../../../renderer/features/commissioning/CheckItemRow.vue';
import { en } from '../../../../../renderer/i18n/en/index.ts';
import { sampleCheck } from '../../../../support/commissioning-check.ts';
import { mounted } from '../../ui/mounted.ts';

const [heater, faulty] = sampleCheck('00000000-0000-4000-8000-0000000000f1').items;
const deeds = { judge: () => Promise.resolve(), holdAgainst: () => Promise.resolve() };
const held = {
  ...faulty,
  verdict: 'held',
  verdict_reason: 'device',
  verdict_by: 'kim',
  verdict_at: '2026-01-15T04:00:00Z',
  note: 'Loose',
};

it('says a verdict below its buttons, on a line that was there before, and adds nothing above them', async () => {
  const row = mounted(CheckItemRow, {
    props: { ...deeds, item: faulty, scale: null, isFollowed: false, canJudge: true },
  });
  const outline = () => row.findAll('summary > *, .item__body > *').map((one) => one.element.className);
  const before = outline();
  expect(row.get('form + p').text()).toBe(en.commissioning.given.none);
  await row.setProps({ item: held });
  expect(row.get('form + p').text()).toMatch(/^Held by kim, /);
  expect(outline()).toEqual(before);
});

it('explains the marks of the chart of an actuator; that of a sensor has none', () => {
  const props = { ...deeds, scale: null, isFollowed: false, canJudge: false };
  const texts = [heater, faulty].map((item) => mounted(CheckItemRow, { props: { ...props, item } }).text());
  expect(texts.map((text) => text.includes(en.commissioning.traceMarks))).toEqual([true, false]);
});

it('says a verdict that can no longer be changed with its reason and note, and beside the name', () => {
  const row = mounted(CheckItemRow, {
    props: { ...deeds, item: held, scale: null, isFollowed: false, canJudge: false },
  });
  expect(row.get('summary').text()).toMatch(/Held by kim, /);
  for (const part of ['Reason for holding: The device', 'Note: Loose']) expect(row.text()).toContain(part);
});
