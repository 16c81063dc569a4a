import { describe, expect, it } from 'vitest';
import en from '../../../../resources/commissioning-text/en.json' with { type: 'json' };
import { checkWords, findingCodes } from '../../../../server/contract/commissioning-finding.ts';
import { messageOf, shownExpected, shownMeasure } from '../../../../server/domain/commissioning/finding.ts';
import { reportLanguage } from '../../../../server/services/commissioning/report-language.ts';
import { reportTexts } from '../../../../server/services/commissioning/report-text.ts';

const places = (text: string): string[] => [...text.matchAll(/\{\w+\}/g)].map(([place]) => place).sort();

describe('what was found', () => {
  it.each(['ko', 'ja'] as const)('is said in %s with the same places as in English', (language) => {
    const { findings, accuracy } = reportTexts[language];
    for (const code of findingCodes)
      expect([code, ...places(findings[code])]).toEqual([code, ...places(en.findings[code])]);
    expect(places(accuracy.line)).toEqual(places(en.accuracy.line));
    expect(places(accuracy.open)).toEqual(places(en.accuracy.open));
  });

  it('is one sentence each, with names and figures as they are', () => {
    expect(messageOf([{ code: 'answered', name: 'North $& {by}', value: 51, unit: 's' }])).toBe(
      'North $& {by} answered after 51 s.',
    );
    const found = [{ code: 'stopped', quantity: 'temp', value: 35.2, unit: 'C' } as const];
    expect(messageOf([...found, { code: 'not_back', state: 'off' }])).toBe(
      'Stopped: temperature 35.2 C. Test it again at a milder hour. It could not be returned to off.',
    );
    const closed = { code: 'not_back', state: '0', unit: '%' } as const;
    expect(messageOf([closed])).toBe('It could not be returned to 0 %.');
    const { way, text } = reportLanguage('ko', 'Asia/Seoul');
    expect(messageOf([closed], text, way)).toBe('이전 상태로 되돌리지 못함: 0\u202f%.');
    expect(messageOf(found, reportTexts.ko)).toBe('멈춤: 온도 35.2 C. 온화한 시간에 다시 점검하세요.');
  });

  it('has words of the language for what is no figure, and leaves names alone', () => {
    for (const word of checkWords) expect(reportTexts.ja.words[word]).not.toBe('');
    const { way, text } = reportLanguage('ja', 'Asia/Tokyo');
    expect(shownMeasure({ code: 'response', measured: null, unit: 'C' }, text, way)).toBe('–');
    expect(shownMeasure({ code: 'response', measured: 'confirmed', unit: '' }, text, way)).toBe('確認済み');
    expect(shownExpected({ code: 'response', expected: 'own_place', unit: '' }, en, way)).toBe('its own place');
    expect(shownExpected({ code: 'response', expected: 'toString', unit: '' }, en, way)).toBe('toString');
    expect(shownExpected({ code: 'response', expected: '>= 0.3', unit: 'C' }, en, way)).toBe('≥\u202f0.3\u202fK');
    expect(shownExpected({ code: 'range', expected: '0..45', unit: 'C' }, en, way)).toBe('0 … 45\u202f°C');
  });

  it('has the unit with what a value was held against', () => {
    const followed = { code: 'follows', name: 'North', value: 0.86, unit: 'C/min', expected: '0.38' } as const;
    expect(messageOf([followed])).toBe('North followed every switch: 0.86 C/min, expected 0.38 C/min.');
    const { way, text } = reportLanguage('en', 'Asia/Seoul');
    const earlier = { ...followed, name: 'Damp (vapour)', expected: '0.38 C/min' };
    expect(messageOf([earlier], text, way)).toContain('0.86\u202fK/min, expected 0.38\u202fK/min.');
    expect(messageOf([earlier], reportTexts.ko)).toContain(`Damp (${reportTexts.ko.quantities.vapour})`);
  });
});
