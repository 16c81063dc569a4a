import { createHash } from 'node:crypto';
import type { CommissioningCheck } from '../../contract/commissioning.ts';
import type { Language } from '../../contract/language.ts';
import { escaped, reportLanguage, type ReportLanguage } from './report-language.ts';
import {
  countsOf,
  definitions,
  deviceSection,
  faultSection,
  noteSection,
  referenceSection,
  scalesOf,
  undecidedSection,
} from './report-sections.ts';
import { reportStyle } from './report-style.ts';

export interface ReportFacts {
  language: Language;
  siteName: string;
  timeZone: string;
  /** The last hash of the check's chain. */
  sha256: string;
}

/** Allows the page its own style and nothing else. */
export const reportPolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(reportStyle).digest('base64')}'`,
  "frame-ancestors 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');

/** Two pages for a common house: what is wrong first, then every device on a line, who judged it, and room to sign. */
export function reportPage(check: CommissioningCheck, facts: ReportFacts): string {
  const said = reportLanguage(facts.language, facts.timeZone);
  const { report } = said.text;
  const { items, facility_name } = check;
  const place = [facts.siteName, facility_name].filter((name) => name !== '').join(' – ');
  const scales = scalesOf(items);
  return `<!doctype html>
<html lang="${facts.language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(`${report.title} – ${place}`)}</title><style>${reportStyle}</style></head><body>
<h1>${report.title}</h1><p class="place">${escaped(place)}</p>
${headOf(check, facts, said)}
${faultSection(items, scales, said)}
${undecidedSection(items, said)}
${deviceSection(items, scales, said)}
${referenceSection(items, said)}
${noteSection(items, said)}
<div class="signatures"><div>${report.engineer}</div><div>${report.owner}</div></div>
<h2>${report.seal}</h2><p class="quiet">${report.sealText}</p><p class="hash">${report.check} ${check.check_id}<br>SHA-256 ${facts.sha256}</p>
</body></html>`;
}

function headOf(check: CommissioningCheck, { siteName, timeZone }: ReportFacts, said: ReportLanguage): string {
  const { text, time, actor, colon, list, aside } = said;
  const { report } = text;
  const { status, cause, reason, reopened = [] } = check;
  const why = cause === undefined ? (reason ?? '') : said.found({ findings: [cause], message: '' });
  const counts = countsOf(check.summary, said);
  return definitions([
    [report.site, siteName],
    [report.started, aside(time(check.started_at), timeZone)],
    [report.facility, check.facility_name],
    [report.ended, time(check.ended_at)],
    [report.status, why === '' ? text.statuses[status] : aside(text.statuses[status], why)],
    [report.startedBy, actor(check.started_by)],
    [report.found, counts.found],
    [report.verdicts, counts.verdicts],
    ...reopened.map(({ by, at, reason: because }) => [report.reopened, list([time(at), actor(by)]) + colon + because]),
  ]);
}
