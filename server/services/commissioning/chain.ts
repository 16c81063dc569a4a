import { createHash } from 'node:crypto';
import type { CheckItem, CommissioningCheck } from '../../contract/commissioning.ts';
import { checkReport, type CheckReport } from '../../contract/commissioning-endpoints.ts';
import { jsonInOrder } from '../../contract/plain-data.ts';
import { sensorRole } from '../../contract/facility-binding.ts';
import { accuracyOf } from '../../domain/commissioning/accuracy.ts';

type Link = CheckReport['links'][number];
type Content = Link['content'];

/** The hash before the first link. */
const beginning = '0'.repeat(64);

/**
 * A check as a hash chain: the check, its items, every retest, verdict, reference point and reopening in chronological
 * order, and an early end. To change, drop or insert anything, all later hashes must be recomputed, and the last one is
 * on the printed report and in the audit. Links are only added after testing is complete: an earlier hash in the audit
 * remains the hash of a link.
 */
export function chainOf(check: CommissioningCheck): CheckReport {
  const { items, check_id, facility_uuid, facility_name, started_at, started_by, progress } = check;
  const head = { check_id, facility_uuid, facility_name, started_at, started_by, total: progress.total };
  const tested = items.map((item) => ({ kind: 'item' as const, content: asTested(item) }));
  const given = items
    .flatMap((item) => [...retestsOf(item, check), ...verdictsOf(item), ...pointsOf(item)])
    .concat((check.reopened ?? []).map((content) => ({ kind: 'reopening', content })))
    .sort((one, other) => one.content.at.localeCompare(other.content.at));
  const parts = [
    { kind: 'check' as const, content: asContent(head) },
    ...tested,
    ...given.map(({ kind, content }) => ({ kind, content: asContent(content) })),
    ...endOf(check).map((content) => ({ kind: 'end' as const, content })),
  ];
  let previous = beginning;
  const links = parts.map((part): Link => {
    previous = hashOf(previous, part);
    return { ...part, sha256: previous };
  });
  return { format: 'orangery.commissioning.1', check_id, links, sha256: previous };
}

/** Checks whether a report is intact; returns what is wrong, null when nothing is. */
export function faultOfReport(report: unknown): string | null {
  const parsed = checkReport.safeParse(report);
  if (!parsed.success) return `it is no report of a check: ${parsed.error.issues[0]?.path.join('.') ?? ''}`;
  let previous = beginning;
  for (const [index, link] of parsed.data.links.entries()) {
    previous = hashOf(previous, link);
    if (previous !== link.sha256) return `link ${index + 1} (${link.kind}) was changed, or one before it is missing`;
  }
  return previous === parsed.data.sha256 ? null : 'links at its end are missing';
}

function hashOf(previous: string, { kind, content }: Pick<Link, 'kind' | 'content'>): string {
  return createHash('sha256').update(previous).update(kind).update(jsonInOrder(content)).digest('hex');
}

function endOf({ status, reason, cause, ended_at }: CommissioningCheck): Content[] {
  return status === 'aborted' || status === 'error' ? [asContent({ status, reason, cause, ended_at })] : [];
}

function asTested(item: CheckItem): Content {
  const { verdict: _v, verdict_reason: _r, verdict_by: _b, verdict_at: _a, note: _n, history: _h, ...rest } = item;
  const { accuracy: _, retests = [], ...tested } = rest;
  return asContent({ ...tested, ...retests[0]?.former });
}

/** The result of each retest; one still running has none. */
function retestsOf(
  { device_id, channel, role, retests = [], ...last }: CheckItem,
  { status }: CommissioningCheck,
): Given[] {
  const { result, message, findings, checks, evidence } = last;
  const found = [...retests.slice(1).map(({ former }) => former), { result, message, findings, checks, evidence }];
  const over = status === 'running' ? retests.slice(0, -1) : retests;
  return over.map(({ at, by }, index) => ({
    kind: 'retest',
    content: { device_id, channel, role, at, by, ...found[index] },
  }));
}

interface Given {
  kind: 'retest' | 'verdict' | 'accuracy' | 'reopening';
  content: { at: string };
}

function verdictsOf(item: CheckItem): Given[] {
  const { device_id, channel, role, verdict, verdict_reason: reason, verdict_by: by, verdict_at: at, note } = item;
  const now = verdict === 'none' || at === null ? [] : [{ verdict, reason, note, by, at }];
  return [...item.history, ...now].map((given) => ({
    kind: 'verdict',
    content: { device_id, channel, role, ...given },
  }));
}

/** Each point with the accuracy known after it. */
function pointsOf({ device_id, channel, role, measurement_id, accuracy }: CheckItem): Given[] {
  const { points = [], unit = '' } = accuracy ?? {};
  return points.map((point, index) => {
    const { gain, offset, passed: accurate } = accuracyOf(sensorRole.parse(role), unit, points.slice(0, index + 1));
    const sensor = { device_id, channel, role, measurement_id, unit };
    return { kind: 'accuracy', content: { ...sensor, ...point, gain, offset, accurate } };
  });
}

function asContent(value: object): Content {
  return JSON.parse(JSON.stringify(value)) as Content; // checks consist of JSON only
}
