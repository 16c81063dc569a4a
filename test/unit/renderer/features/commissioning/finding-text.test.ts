import { describe, expect, it } from 'vitest';
import { checkWords, findingCodes, type Finding } from '../../../../../server/contract/commissioning-finding.ts';
import {
  expectedText,
  findingsText,
  measuredText,
} from '../../../../../renderer/features/commissioning/finding-text.ts';
import { en } from '../../../../../renderer/i18n/en/index.ts';

/** The key and what is put into its sentence. */
const t = (key: string, named: Record<string, unknown> = {}): string =>
  [key.replace('commissioning.', ''), ...Object.entries(named).map(([name, value]) => `${name}=${String(value)}`)].join(
    ' ',
  );
const format = { number: (value: number) => value.toFixed(1) };

describe('a finding on the page', () => {
  it.each<[Finding, string[]]>([
    [
      { code: 'answered', name: 'North', value: 51, unit: 's' },
      ['findings.answered', 'name=North', 'value=51.0\u202fs'],
    ],
    [{ code: 'held', by: 'safety' }, ['findings.held', 'by=words.safety']],
    [{ code: 'held', by: 'kim' }, ['by=kim']],
    [
      { code: 'stopped', quantity: 'co2', value: 2100, unit: 'ppm' },
      ['quantity=quantities.co2', 'value=2100.0\u202fppm'],
    ],
    [
      { code: 'implausible', check: 'range', expected: '0..45', unit: 'C' },
      ['check=codes.range', 'expected=0.0 … 45.0\u202f°C'],
    ],
    [{ code: 'not_back', state: 'off' }, ['state=words.off']],
  ])('%j', (found, parts) => {
    const said = findingsText([found], t, format);
    for (const part of parts) expect(said).toContain(part);
  });

  it('has words for every code there is', () => {
    for (const code of findingCodes) expect(en.commissioning.findings[code]).not.toBe('');
    for (const word of checkWords) expect(en.commissioning.words[word]).not.toBe('');
  });

  it('shows figures with their unit, words in the language and names as they are', () => {
    expect(measuredText({ measured: 0.32, unit: 'C' }, t, format)).toBe('0.3\u202f°C');
    expect(measuredText({ measured: 'confirmed', unit: '' }, t, format)).toBe('words.confirmed');
    expect(measuredText({ measured: 'North', unit: '' }, t, format)).toBe('North');
    expect(measuredText({ measured: 'kim by key spare', unit: '' }, t, format)).toMatch(/^kim · /);
    expect(measuredText({ measured: null, unit: '' }, t, format)).toBe('–');
    expect(expectedText({ expected: '>= 0.3', unit: 'C' }, t, format)).toBe('≥\u202f0.3\u202f°C');
  });
});
