import { createHash } from 'node:crypto';
import type { CheckItem, CommissioningCheck, Evidence, ItemCheck } from '../contract/commissioning.ts';
import type { Language } from '../contract/language.ts';
import { reportTexts, type ReportText } from './commissioning-report-text.ts';

export interface ReportFacts {
  language: Language;
  timeZone: string;
  /** The end of the check's chain. */
  sha256: string;
}

const style = `
@page { size: A4; margin: 16mm 14mm; }
body { font: 10.5pt/1.4 system-ui, sans-serif; color: #111; max-width: 182mm; margin: 0 auto; padding: 6mm; }
h1 { font-size: 17pt; margin: 0 0 2mm; } h2 { font-size: 12.5pt; margin: 7mm 0 2mm; } h3 { font-size: 11pt; margin: 0 0 1mm; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; padding: .8mm 2mm; border-bottom: .2mm solid #bbb; vertical-align: top; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .5mm 4mm; margin: 0; } dt { color: #555; } dd { margin: 0; overflow-wrap: anywhere; }
section.item { break-inside: avoid; border-top: .4mm solid #111; padding: 2.5mm 0 3mm; }
.fail, .no { font-weight: 700; } svg { width: 100%; height: 26mm; } .signatures { display: grid; grid-template-columns: 1fr 1fr; gap: 10mm; margin-top: 14mm; break-inside: avoid; }
.signatures div { border-top: .3mm solid #111; padding-top: 1mm; } .hash { font: 8.5pt ui-monospace, monospace; overflow-wrap: anywhere; }
@media print { body { padding: 0; } }
`;

/** Lets the page hold its own style and nothing else. */
export const reportPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A page for print: what was tested, what was measured against what was expected, who judged it, and room to sign. */
export function reportPage(check: CommissioningCheck, facts: ReportFacts): string {
  const text = reportTexts[facts.language];
  const time = timeFormat(facts);
  const rows = check.items.map((item) => itemRow(item, text)).join('');
  const head = [text.item, text.role, text.result, text.verdict].map((one) => `<th scope="col">${one}</th>`).join('');
  return `<!doctype html>
<html lang="${facts.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`${text.title} – ${check.facility_name}`)}</title><style>${style}</style></head><body>
<h1>${text.title}</h1>
${definitions([
  [text.facility, check.facility_name],
  [text.check, check.check_id],
  [text.status, text.statuses[check.status] + (check.reason === null ? '' : ` (${check.reason})`)],
  [text.startedBy, check.started_by],
  [text.started, time(check.started_at)],
  [text.ended, time(check.ended_at)],
])}
<h2>${text.overview}</h2><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>
<h2>${text.details}</h2>${check.items.map((item) => itemSection(item, text, time)).join('')}
<h2>${text.seal}</h2><p>${text.sealText}</p><p class="hash">SHA-256 ${facts.sha256}</p>
<div class="signatures"><div>${text.engineer}</div><div>${text.owner}</div></div>
</body></html>`;
}

type TimeFormat = (iso: string | null) => string;

function timeFormat({ language, timeZone }: ReportFacts): TimeFormat {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long', timeZone });
  return (iso) => (iso === null ? '–' : format.format(new Date(iso)));
}

function itemRow({ name, role, result, verdict }: CheckItem, text: ReportText): string {
  const cells = [name, role, text.results[result], text.verdicts[verdict]];
  return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
}

function itemSection(item: CheckItem, text: ReportText, time: TimeFormat): string {
  const { device_id, channel, evidence, verdict, verdict_by, verdict_at, note, history } = item;
  const judged =
    verdict === 'none' ? text.verdicts.none : `${text.verdicts[verdict]}, ${verdict_by ?? ''}, ${time(verdict_at)}`;
  const former = history.map(
    ({ verdict: was, by, at, note: why }) => `${text.verdicts[was]}, ${by}, ${time(at)}. ${why}`,
  );
  return `<section class="item"><h3>${escaped(item.name)} – <span class="${item.result}">${text.results[item.result]}</span></h3>
<p>${escaped(item.message)}</p>${checkTable(item.checks, text)}${evidence === null ? '' : evidencePart(evidence, text)}
${definitions([
  [text.role, item.role],
  [text.device, `${device_id}${channel === null ? '' : ` / ${channel}`}`],
  [text.verdict, judged],
  ...(note === '' ? [] : [[text.note, note] as const]),
  ...former.map((line) => [text.before, line] as const),
])}</section>`;
}

function checkTable(checks: readonly ItemCheck[], text: ReportText): string {
  if (checks.length === 0) return '';
  const rows = checks.map(({ code, passed, measured, expected, unit }) => {
    const mark = passed === null ? '?' : passed ? '✓' : '✗';
    const cells = [
      text.codes[code],
      `${measured ?? '–'} ${measured === null ? '' : unit}`,
      `${expected} ${unit}`,
      mark,
    ];
    return `<tr${passed === false ? ' class="no"' : ''}>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
  });
  const head = [text.test, text.measured, text.expected, ''].map((one) => `<th scope="col">${one}</th>`).join('');
  return `<table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table>`;
}

function evidencePart(evidence: Evidence, text: ReportText): string {
  const { sensor, unit, baseline, response, noise, lag_s } = evidence;
  const figures = [
    [text.baseline, baseline],
    [text.response, response],
    [text.noise, noise],
  ] as const;
  const said = figures.flatMap(([label, value]) => (value === null ? [] : [`${label} ${value} ${unit}`]));
  const lag = lag_s === null ? [] : [`${text.lag} ${lag_s} s`];
  return `<p>${escaped([sensor ?? '', ...said, ...lag].join(' · '))}</p>${drawing(evidence)}`;
}

/** The trace, with a line where the command was given and one where it was taken back. */
function drawing({ trace: { times, values }, driven_at, restored_at }: Evidence): string {
  const known = values.filter((value) => value !== null);
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  if (known.length < 2 || last <= first) return '';
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const x = (time: number): string => ((600 * (time - first)) / (last - first)).toFixed(1);
  const y = (value: number): string => (90 - (80 * (value - low)) / (high - low || 1)).toFixed(1);
  const points = times.flatMap((time, index) => {
    const value = values[index];
    return value == null ? [] : [`${x(time)},${y(value)}`];
  });
  const marks = [driven_at, restored_at].flatMap((at) => {
    const time = at === null ? NaN : Date.parse(at);
    return time >= first && time <= last ? [`<path d="M${x(time)} 0V100" stroke="#777" stroke-dasharray="4 3"/>`] : [];
  });
  return `<svg viewBox="0 0 600 100" preserveAspectRatio="none" role="img"><polyline fill="none" stroke="#111" stroke-width="1.5" vector-effect="non-scaling-stroke" points="${points.join(' ')}"/>${marks.join('')}</svg>`;
}

function definitions(pairs: readonly (readonly [string, string])[]): string {
  return `<dl>${pairs.map(([term, value]) => `<dt>${escaped(term)}</dt><dd>${escaped(value)}</dd>`).join('')}</dl>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
