// @vitest-environment happy-dom
import { expect, it } from 'vitest';
import { defineComponent, h } from 'vue';
import { useI18n } from 'vue-i18n';
import { language as languages, type Language } from '../../../../server/contract/language.ts';
import { climateReason, reasonCodes, type Reason } from '../../../../server/contract/reason.ts';
import { messagesOf } from '../../../../renderer/i18n/index.ts';
import { useSettings } from '../../../../renderer/stores/settings.ts';
import { useCauseText, type ToldCause } from '../../../../renderer/ui/cause-text.ts';
import { mounted } from './mounted.ts';

const law: Reason = {
  code: 'pid_law',
  facts: {
    setpoint: { value: 20, unit: 'C' },
    measurement: { value: 18.5, unit: 'C' },
    error: { value: 1.5, unit: 'K' },
    p: { value: 18, unit: '' },
    i: { value: -2.25, unit: '' },
    d: { value: 0, unit: '' },
    control: { value: 12.5, unit: 's' },
  },
};
const span: Reason = { code: 'time_point', facts: { at: { at: '2026-07-01T21:30:00Z' } } };

/** What a page of a site in Tokyo shows, where temperatures may be in Fahrenheit. */
async function shown(
  cause: ToldCause,
  { language = 'en', temperature_unit = 'c' }: { language?: Language; temperature_unit?: 'c' | 'f' } = {},
) {
  const messages = await messagesOf(language);
  const page = mounted(
    defineComponent(() => {
      const i18n = useI18n({ useScope: 'global' });
      i18n.setLocaleMessage(language, messages);
      i18n.locale.value = language;
      const settings = useSettings();
      settings.site = { ...settings.units, length_unit: 'm', temperature_unit, time_zone: 'Asia/Tokyo' } as never;
      const causeText = useCauseText();
      return () => h('p', causeText(cause));
    }),
    {},
  );
  return page.text().replaceAll('\u202f', ' ');
}

it('writes the law of a PID in the units of the site and the language that is shown', async () => {
  const cause = { because: '', reason: law };
  expect(await shown(cause)).toBe('20.0 °C - 18.5 °C = 1.5 K; P 18 + I -2.25 + D 0 = 12.5 s');
  expect(await shown(cause, { temperature_unit: 'f' })).toContain('68.0 °F - 65.3 °F = 2.7 °F');
  expect(await shown(cause, { language: 'ko' })).toContain('설정 20.0 °C - 측정 18.5 °C');
  expect(await shown(cause, { language: 'ja' })).toContain('設定 20.0 °C - 測定 18.5 °C');
});

it('writes times by the clock of the site', async () => {
  expect(await shown({ because: '', reason: span })).toContain('06:30:00');
});

it('writes what climate programs say with the units of their numbers', async () => {
  const reason = climateReason({
    code: 'vent_excess',
    values: { demand_pct: 12.2, excess_k: 1.4, target_c: 24, band_k: 11.3 },
  });
  expect(await shown({ because: null, reason })).toBe('Vents 12 %: 1.4 K above 24.0 °C, band 11.3 K');
});

it('shows a dash for a fact that an older record lacks', async () => {
  const reason = climateReason({ code: 'vent_closed', values: { excess_k: -10.4, target_c: 24.5 } });
  expect(await shown({ because: null, reason })).toBe('Vents closed: –, open above 24.5 °C');
});

it('shows the English text of what was told before there was more', async () => {
  expect(await shown({ because: 'output on for 0 s' }, { language: 'ko' })).toBe('output on for 0 s');
});

it.each(languages.options)(
  'has a sentence for every rule in %s',
  async (language) => {
    for (const code of reasonCodes)
      expect(await shown({ because: '', reason: { code, facts: {} } }, { language }), code).not.toContain('causes.');
  },
  60_000,
);
