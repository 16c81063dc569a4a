// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent, h, nextTick, type Component } from 'vue';
import { useI18n } from 'vue-i18n';
import { VSelect } from 'vuetify/components/VSelect';
import ItemAccuracy from '../../../../renderer/features/commissioning/ItemAccuracy.vue';
import VerdictForm from '../../../../renderer/features/commissioning/VerdictForm.vue';
import { loadLanguage } from '../../../../renderer/i18n/index.ts';
import { en } from '../../../../renderer/i18n/en/index.ts';
import { commissioning } from '../../../../renderer/i18n/ja/commissioning.ts';
import { verdictReasons } from '../../../../server/contract/commissioning.ts';
import { mounted } from '../ui/mounted.ts';

// All that the forms read of it.
const item = { device_id: 'a', role: 'indoor_temp', name: 'Air', note: '', verdict_reason: null, channel: null };
const never = () => Promise.resolve();

it.each<{ what: string; form: Component; props: object; titles: (words: typeof en.commissioning) => string[] }>([
  {
    what: 'reasons of a verdict',
    form: VerdictForm,
    props: { item, judge: never },
    titles: ({ reasons }) => verdictReasons.map((reason) => reasons[reason]),
  },
  {
    what: 'points of a calibration',
    form: ItemAccuracy,
    props: { item, canTake: true, holdAgainst: never },
    titles: ({ accuracy }) => [accuracy.first, accuracy.second],
  },
])('offers the $what in the language that is chosen meanwhile', async ({ form, props, titles }) => {
  let toJapanese = never;
  const page = mounted(
    defineComponent(() => {
      const composer = useI18n({ useScope: 'global' });
      toJapanese = () => loadLanguage(composer, 'ja');
      return () => h(form, props);
    }),
    {},
  );
  const offered = () => page.getComponent(VSelect).props('items');
  expect(offered()).toMatchObject(titles(en.commissioning).map((title) => ({ title })));
  await toJapanese();
  await nextTick();
  expect(offered()).toMatchObject(titles(commissioning).map((title) => ({ title })));
});
