import { createHash } from 'node:crypto';
import type { Accuracy } from '../../contract/commissioning-accuracy.ts';
import type { CheckItem, CommissioningCheck, Evidence, ItemCheck, ItemRetest } from '../../contract/commissioning.ts';
import type { Language } from '../../contract/language.ts';
import { messageOf, shownExpected, shownMeasure } from '../../domain/commissioning/finding.ts';
import { reportTexts, type ReportText } from './report-text.ts';

export interface ReportFacts {
  language: Language;
  timeZone: string;
  /** The last hash of the check's chain. */
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

/** Allows the page its own style and nothing else. */
export const reportPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** A printable page: what was tested, measured and expected values, who judged it, and space for a signature. */
export function reportPage(check: CommissioningCheck, facts: ReportFacts): string {
  const text = reportTexts[facts.language];
  const { report } = text;
  const time = timeFormat(facts);
  const rows = check.items.map((item) => itemRow(item, text)).join('');
  const head = [report.item, report.role, report.result, report.verdict]
    .map((one) => `<th scope="col">${one}</th>`)
    .join('');
  const reason = check.cause === undefined ? check.reason : messageOf([check.cause], text);
  return `<!doctype html>
<html lang="${facts.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`${report.title} – ${check.facility_name}`)}</title><style>${style}</style></head><body>
<h1>${report.title}</h1>
${definitions([
  [report.facility, check.facility_name],
  [report.check, check.check_id],
  [report.status, text.statuses[check.status] + (reason === null ? '' : ` (${reason})`)],
  [report.startedBy, check.started_by],
  [report.started, time(check.started_at)],
  [report.ended, time(check.ended_at)],
  ...(check.reopened ?? []).map(({ by, at, reason: why }) => [report.reopened, `${time(at)}, ${by}: ${why}`] as const),
])}
<h2>${report.overview}</h2><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>
<h2>${report.details}</h2>${check.items.map((item) => itemSection(item, text, time)).join('')}
<h2>${report.seal}</h2><p>${report.sealText}</p><p class="hash">SHA-256 ${facts.sha256}</p>
<div class="signatures"><div>${report.engineer}</div><div>${report.owner}</div></div>
</body></html>`;
}

type TimeFormat = (iso: string | null) => string;

function timeFormat({ language, timeZone }: ReportFacts): TimeFormat {
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long', timeZone });
  return (iso) => (iso === null ? '–' : format.format(new Date(iso)));
}

function itemRow({ name, role, result, verdict }: CheckItem, text: ReportText): string {
  const cells = [name, text.roles[role], text.results[result], text.verdicts[verdict]];
  return `<tr>${cells.map((cell) => `<td>${escaped(cell)}</td>`).join('')}</tr>`;
}

function itemSection(item: CheckItem, text: ReportText, time: TimeFormat): string {
  const { device_id, channel, evidence, verdict, verdict_by, verdict_at, note, history } = item;
  const why = item.verdict_reason === null ? '' : ` (${text.reasons[item.verdict_reason]})`;
  const judged =
    verdict === 'none'
      ? text.verdicts.none
      : `${text.verdicts[verdict]}${why}, ${verdict_by ?? ''}, ${time(verdict_at)}`;
  const former = history.map(
    ({ verdict: was, by, at, note: said }) => `${text.verdicts[was]}, ${by}, ${time(at)}. ${said}`,
  );
  return `<section class="item"><h3>${escaped(item.name)} – <span class="${item.result}">${text.results[item.result]}</span></h3>
<p>${escaped(item.findings === undefined ? item.message : messageOf(item.findings, text))}</p>${checkTable(item.checks, text)}${evidence === null ? '' : evidencePart(evidence, text)}${item.accuracy === undefined ? '' : accuracyPart(item.accuracy, text, time)}
${definitions([
  [text.report.role, text.roles[item.role]],
  [text.report.device, `${device_id}${channel === null ? '' : ` / ${channel}`}`],
  [text.report.verdict, judged],
  ...(note === '' ? [] : [[text.report.note, note] as const]),
  ...former.map((line) => [text.report.before, line] as const),
  ...(item.retests ?? []).map((one) => [text.report.retested, retestLine(one, text, time)] as const),
])}</section>`;
}

/** When and by whom, and the result of the test before. */
function retestLine({ at, by, former }: ItemRetest, text: ReportText, time: TimeFormat): string {
  const said = former.findings === undefined ? former.message : messageOf(former.findings, text);
  return `${time(at)}, ${by} (${text.results[former.result]}: ${said})`;
}

function checkTable(checks: readonly ItemCheck[], text: ReportText): string {
  if (checks.length === 0) return '';
  const rows = checks.map((check): Row => {
    const { code, passed } = check;
    return { passed, cells: [text.codes[code], shownMeasure(check, text), shownExpected(check, text)] };
  });
  return markedTable([text.report.test, text.report.measured, text.report.expected], rows);
}

/** Every point taken, and the line through those that count. */
function accuracyPart(
  { points, unit, gain, offset, apart, passed }: Accuracy,
  text: ReportText,
  time: TimeFormat,
): string {
  const words = text.accuracy;
  const rows = points.map((one): Row => {
    const figures = [one.reference, one.measured, one.error, one.allowed].map((value) => `${inFigures(value)} ${unit}`);
    return { passed: one.passed, cells: [String(one.point), ...figures, one.instrument, `${time(one.at)}, ${one.by}`] };
  });
  const head = [words.point, words.reference, words.sensor, words.error, words.allowed, words.instrument, words.taken];
  const open = words.open.replace('{apart}', apart === null ? '' : `${inFigures(apart)} ${unit}`);
  const line =
    gain === null || offset === null
      ? ''
      : words.line.replace('{gain}', inFigures(gain)).replace('{offset}', `${inFigures(offset)} ${unit}`);
  const said = [passed === null ? open : passed ? words.passed : words.failed, line].join(' ');
  return `<p>${words.title}</p>${markedTable(head, rows)}<p>${escaped(said)}</p>`;
}

interface Row {
  cells: string[];
  passed: boolean | null;
}

function markedTable(head: readonly string[], rows: readonly Row[]): string {
  const lines = rows.map(({ cells, passed }) => {
    const mark = passed === null ? '?' : passed ? '✓' : '✗';
    const marked = [...cells, mark].map((cell) => `<td>${escaped(cell)}</td>`).join('');
    return `<tr${passed === false ? ' class="no"' : ''}>${marked}</tr>`;
  });
  const titles = [...head, ''].map((one) => `<th scope="col">${one}</th>`).join('');
  return `<table><thead><tr>${titles}</tr></thead><tbody>${lines.join('')}</tbody></table>`;
}

/** Five digits: finer than any reference in a greenhouse. */
function inFigures(value: number): string {
  return String(Number(value.toPrecision(5)));
}

function evidencePart(evidence: Evidence, text: ReportText): string {
  const { sensor, unit, baseline, response, noise, lag_s } = evidence;
  const figures = [
    [text.report.baseline, baseline],
    [text.report.response, response],
    [text.report.noise, noise],
  ] as const;
  const said = figures.flatMap(([label, value]) => (value === null ? [] : [`${label} ${value} ${unit}`]));
  const lag = lag_s === null ? [] : [`${text.report.lag} ${lag_s} s`];
  return `<p>${escaped([sensor ?? '', ...said, ...lag].join(' · '))}</p>${drawing(evidence)}`;
}

/** The trace, with lines at the command and at its reversal. */
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
