import { differenceUnit } from '../../contract/commissioning-figure.ts';
import { traceScales } from '../../contract/commissioning-trace.ts';
import type { CheckItem, CheckSummary, ItemCheck, ItemResult } from '../../contract/commissioning.ts';
import { shownExpected, shownMeasure } from '../../domain/commissioning/finding.ts';
import { escaped, type ReportLanguage } from './report-language.ts';
import { traceDrawing } from './report-trace.ts';

/** What asks for work, the worst first, and what could not be decided. */
const faulty: readonly ItemResult[] = ['fail', 'error', 'timeout', 'warn'];
const undecided: readonly ItemResult[] = ['inconclusive', 'skipped'];

type Row = { cells: readonly string[]; isBad?: boolean };
type Scales = ReturnType<typeof traceScales>;

/** A table of cells that are HTML already. */
function table(head: readonly string[], rows: readonly Row[]): string {
  const titles = head.map((one) => `<th scope="col">${one}</th>`).join('');
  const lines = rows.map(({ cells, isBad }) => {
    const row = cells.map((cell) => `<td>${cell}</td>`).join('');
    return `<tr${isBad === true ? ' class="bad"' : ''}>${row}</tr>`;
  });
  return `<div class="wide"><table><thead><tr>${titles}</tr></thead><tbody>${lines.join('')}</tbody></table></div>`;
}

const section = (title: string, content: string): string => (content === '' ? '' : `<h2>${title}</h2>${content}`);

/** What it is, unless its name says so. */
const roleOf = ({ name, role }: CheckItem, { text }: ReportLanguage): string =>
  name.toLowerCase() === text.roles[role].toLowerCase() ? '' : text.roles[role];

export function scalesOf(items: readonly CheckItem[]): Scales {
  return traceScales(items.flatMap(({ evidence }) => evidence ?? []));
}

/** Each fault with its tests that were not passed and what was read meanwhile. */
export function faultSection(items: readonly CheckItem[], scales: Scales, said: ReportLanguage): string {
  const { report } = said.text;
  const faults = items
    .filter(({ result }) => faulty.includes(result))
    .toSorted((one, other) => faulty.indexOf(one.result) - faulty.indexOf(other.result));
  if (faults.length === 0) return section(report.faults, `<p>${report.noFaults}</p>`);
  const blocks = faults.map((item) => {
    const rows = item.checks.filter(({ passed }) => passed !== true).map((check) => checkRow(check, said));
    const tests = rows.length === 0 ? '' : table([report.test, report.measured, report.expected, report.passed], rows);
    const trace = item.evidence === null ? '' : traceDrawing(item.evidence, scales(item.evidence), said);
    const title = said.list([item.name, roleOf(item, said)].filter((part) => part !== ''));
    const head = `${escaped(title)}${said.colon}<span class="bad">${said.text.results[item.result]}</span>`;
    return `<div class="fault"><h3>${head}</h3><p>${escaped(said.found(item))}</p>${tests}${trace}</div>`;
  });
  return section(report.faults, blocks.join(''));
}

function checkRow(check: ItemCheck, { text, way }: ReportLanguage): Row {
  const cells = [text.codes[check.code], shownMeasure(check, text, way), shownExpected(check, text, way)];
  return { cells: [...cells.map(escaped), check.passed === null ? '?' : '✗'] };
}

/** Why nothing can be said, once for all of which it is true. */
export function undecidedSection(items: readonly CheckItem[], said: ReportLanguage): string {
  const open = Map.groupBy(
    items.filter(({ result }) => undecided.includes(result)),
    (item) => said.found(item),
  );
  const lines = [...open].map(([why, of]) => {
    const names = said.list(of.map(({ name }) => name));
    return `<p><strong>${escaped(names)}${said.colon}</strong>${escaped(why)}</p>`;
  });
  return section(said.text.report.undecided, lines.join(''));
}

/** Every device on a line: the test that tells most of it, what was read, and its verdict. */
export function deviceSection(items: readonly CheckItem[], scales: Scales, said: ReportLanguage): string {
  const { report, results } = said.text;
  const rank = ({ result }: CheckItem): number => [...faulty, ...undecided, 'ok'].indexOf(result);
  const rows = items
    .toSorted((one, other) => rank(one) - rank(other))
    .map((item): Row => {
      const { name, result, evidence } = item;
      const check = tellingCheck(item);
      const figures = check && [shownMeasure(check, said.text, said.way), shownExpected(check, said.text, said.way)];
      return {
        cells: [
          twoLines(name, roleOf(item, said)),
          `<span${faulty.includes(result) ? ' class="bad"' : ''}>${results[result]}</span>`,
          figures === undefined ? '–' : twoLines(figures[0] ?? '', figures[1] ?? ''),
          evidence === null ? '' : traceDrawing(evidence, scales(evidence), said),
          verdictCell(item, said),
        ],
      };
    });
  const head = [
    report.item,
    report.result,
    said.list([report.measured, report.expected]),
    report.trace,
    report.verdict,
  ];
  return section(report.all, table(head, rows) + `<p class="quiet">${report.scale}</p>`);
}

/** The first that was not passed, else its work, else its reading. */
function tellingCheck({ checks }: CheckItem): ItemCheck | undefined {
  const byCode = (code: ItemCheck['code']) => checks.find((one) => one.code === code);
  return checks.find(({ passed }) => passed === false) ?? byCode('response') ?? byCode('range') ?? checks.at(-1);
}

function verdictCell(item: CheckItem, said: ReportLanguage): string {
  const { verdict, verdict_reason, verdict_by, verdict_at } = item;
  if (verdict === 'none') return '–';
  return twoLines(
    verdictText(verdict, verdict_reason, said),
    said.list([said.actor(verdict_by), said.time(verdict_at)]),
  );
}

/** A verdict, and why it was held. */
function verdictText(
  verdict: CheckItem['verdict'],
  reason: CheckItem['verdict_reason'],
  { text, colon }: ReportLanguage,
): string {
  return text.verdicts[verdict] + (verdict === 'held' ? colon + text.reasons[reason ?? 'none'] : '');
}

const twoLines = (first: string, second: string): string =>
  `${escaped(first)}<div class="quiet">${escaped(second)}</div>`;

/** What people wrote, verdicts that were replaced, and what earlier tests had found. */
export function noteSection(items: readonly CheckItem[], said: ReportLanguage): string {
  const { text, time, actor, colon, list } = said;
  const lines = items.flatMap(({ name, note, history, retests = [] }) => [
    ...(note === '' ? [] : [[name, note]]),
    ...history.map((was) => {
      const verdict = list([verdictText(was.verdict, was.reason, said), actor(was.by), time(was.at)]);
      return [name, [text.report.before + colon + verdict, was.note].filter((part) => part !== '').join(' · ')];
    }),
    ...retests.map(({ at, by, former }) => [
      name,
      text.report.retested +
        colon +
        said.aside(list([time(at), actor(by)]), text.results[former.result] + colon + said.found(former)),
    ]),
  ]);
  return section(text.report.notes, lines.length === 0 ? '' : definitions(lines, 'lines'));
}

/** Every point that was taken beside a reference, and the line through those that count. */
export function referenceSection(items: readonly CheckItem[], said: ReportLanguage): string {
  const { text, way, time, actor, list } = said;
  const words = text.accuracy;
  const parts = items.flatMap(({ name, accuracy }) => {
    if (accuracy === undefined) return [];
    const { unit, points, gain, offset, apart, passed } = accuracy;
    const shown = (value: number): string => way.figure(value, { unit });
    const shownError = (value: number): string => way.figure(value, { unit: differenceUnit(unit) });
    const rows = points.map((one): Row => {
      const figures = [shown(one.reference), shown(one.measured), shownError(one.error), shownError(one.allowed)];
      const taken = list([actor(one.by), time(one.at)]);
      const cells = [name, String(one.point), ...figures, one.instrument, taken, one.passed ? '✓' : '✗'];
      return { cells: cells.map(escaped), isBad: !one.passed };
    });
    const open = words.open.replace('{apart}', apart === null ? '' : shownError(apart));
    const result = passed === null ? open : passed ? words.passed : words.failed;
    const line = gain === null || offset === null ? '' : ` ${lineText({ gain, offset, unit }, said)}`;
    return [{ rows, text: `${name}${said.colon}${result}${line}` }];
  });
  if (parts.length === 0) return '';
  const figures = [words.reference, words.sensor, words.error, words.allowed, words.instrument, words.taken];
  const head = [text.report.item, words.point, ...figures, text.report.passed];
  const lines = parts.map((part) => `<p>${escaped(part.text)}</p>`).join('');
  return section(
    words.title,
    table(
      head,
      parts.flatMap(({ rows }) => rows),
    ) + lines,
  );
}

/** A gain matters to its third digit. */
function lineText(
  { gain, offset, unit }: { gain: number; offset: number; unit: string },
  said: ReportLanguage,
): string {
  const line = said.text.accuracy.line.replace('{gain}', String(Number(gain.toPrecision(4))));
  return line.replace('{offset}', said.way.figure(offset, { unit: differenceUnit(unit) })).replace('+ -', '− ');
}

/** How many came out how, without those that none did. */
export function countsOf({ results, approved, held, unjudged }: CheckSummary, { text }: ReportLanguage) {
  const found = [...faulty, ...undecided, 'ok', 'running', 'pending'] as const;
  const listed = (counts: readonly (readonly [string, number])[]): string =>
    counts.flatMap(([word, n]) => (n === 0 ? [] : [`${word} ${n}`])).join(' · ') || '–';
  const verdicts = [
    [text.verdicts.approved, approved],
    [text.verdicts.held, held],
    [text.verdicts.none, unjudged],
  ] as const;
  return { found: listed(found.map((one) => [text.results[one], results[one] ?? 0])), verdicts: listed(verdicts) };
}

export function definitions(pairs: readonly (readonly string[])[], className = ''): string {
  const lines = pairs.map(([term = '', value = '']) => `<dt>${escaped(term)}</dt><dd>${escaped(value)}</dd>`).join('');
  return `<dl${className === '' ? '' : ` class="${className}"`}>${lines}</dl>`;
}
