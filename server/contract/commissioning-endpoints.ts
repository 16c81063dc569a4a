import { z } from 'zod';
import { checkItem, checkOverview, checkPlan, checkReopen, checkVerdict, commissioningCheck } from './commissioning.ts';
import { referenceReading } from './commissioning-accuracy.ts';
import { endpoint } from './endpoint.ts';
import { uuid } from './identifier.ts';
import { language } from './language.ts';
import { nextCursor, pageQuery } from './page.ts';

const ofFacility = z.strictObject({ facility_uuid: uuid });
const params = z.strictObject({ facility_uuid: uuid, check_id: uuid });
const path = '/api/geo/facility/:facility_uuid/commissioning';
const base = { tag: 'commissioning' } as const;

const sha256 = z
  .string()
  .regex(/^[0-9a-f]{64}$/)
  .describe('Of the hash before it and the content with its keys in order, in hexadecimal');

/** A check as links, each of which includes the hash of all before it. */
export const checkReport = z.strictObject({
  format: z.literal('orangery.commissioning.1'),
  check_id: uuid,
  links: z.array(
    z.strictObject({
      kind: z
        .enum(['check', 'item', 'retest', 'verdict', 'accuracy', 'reopening', 'end'])
        .describe(
          'item: what the first test found; retest: what a later one did; reopening: it was completed before; end: it was aborted or failed',
        ),
      content: z.record(z.string(), z.json()),
      sha256,
    }),
  ),
  sha256: sha256.describe('Of the last link; the printed report shows the same'),
});
export type CheckReport = z.infer<typeof checkReport>;

export const commissioningEndpoints = {
  start: endpoint({
    ...base,
    method: 'POST',
    path: `${path}/start`,
    summary: 'Check the bound devices of a facility; it drives them',
    access: 'edit_controllers',
    params: ofFacility,
    body: z.strictObject({
      include: z.array(uuid).min(1).max(1000).optional().describe('Only these devices; all bound ones when absent'),
    }),
    answer: z.strictObject({ check_id: uuid, status: z.literal('running') }),
    statuses: [201],
    errors: [
      'not_found',
      'conflict',
      'check_running',
      'nothing_bound',
      'unknown_reference',
      'daemon_unreachable',
      'command_failed',
    ],
  }),
  plan: endpoint({
    ...base,
    method: 'GET',
    path: `${path}/plan`,
    summary: 'How long a check of a facility would take if it were started now',
    access: 'login',
    params: ofFacility,
    answer: checkPlan,
    statuses: [200],
    errors: ['not_found', 'nothing_bound', 'daemon_unreachable', 'command_failed'],
  }),
  list: endpoint({
    ...base,
    method: 'GET',
    path,
    summary: 'List the commissioning checks of a facility, the latest first',
    access: 'login',
    params: ofFacility,
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ checks: z.array(checkOverview), next_cursor: nextCursor }),
    statuses: [200],
    errors: ['not_found', 'daemon_unreachable', 'command_failed'],
  }),
  get: endpoint({
    ...base,
    method: 'GET',
    path: `${path}/:check_id`,
    summary: 'Read a commissioning check, also while it runs',
    access: 'login',
    params,
    answer: commissioningCheck,
    statuses: [200],
    errors: ['not_found', 'daemon_unreachable', 'command_failed'],
  }),
  abort: endpoint({
    ...base,
    method: 'POST',
    path: `${path}/:check_id/abort`,
    summary:
      'End a commissioning check and bring back what it drives; of a test again, what was found before comes back',
    access: 'edit_controllers',
    budget: 'safety',
    params,
    answer: commissioningCheck,
    statuses: [200],
    errors: ['not_found', 'conflict', 'daemon_unreachable', 'command_failed'],
  }),
  retest: endpoint({
    ...base,
    method: 'POST',
    path: `${path}/:check_id/retest`,
    summary:
      'Test what is undecided and not judged again, one by one in a house that is warmed, fogged and enriched meanwhile; takes up to 40 minutes',
    access: 'edit_controllers',
    params,
    answer: commissioningCheck,
    statuses: [200],
    errors: ['not_found', 'conflict', 'check_running', 'daemon_unreachable', 'command_failed'],
  }),
  verdict: endpoint({
    ...base,
    method: 'POST',
    path: `${path}/:check_id/verdict`,
    summary: 'Approve or hold what was found of a device; answers its first item',
    access: 'edit_controllers',
    params,
    body: checkVerdict,
    answer: checkItem,
    statuses: [200],
    errors: ['not_found', 'not_in_check', 'not_judgeable', 'check_completed', 'daemon_unreachable', 'command_failed'],
  }),
  reopen: endpoint({
    ...base,
    method: 'POST',
    path: `${path}/:check_id/reopen`,
    summary: 'Open a completed check for verdicts again, with the reason; it is completed with the next verdict',
    access: 'edit_controllers',
    params,
    body: checkReopen,
    answer: commissioningCheck,
    statuses: [200],
    errors: ['not_found', 'conflict', 'daemon_unreachable', 'command_failed'],
  }),
  accuracy: endpoint({
    ...base,
    method: 'POST',
    path: `${path}/:check_id/accuracy`,
    summary: 'Hold a sensor against a reference instrument at one of two points; answers its item',
    access: 'edit_controllers',
    params,
    body: referenceReading,
    answer: checkItem,
    statuses: [200],
    errors: [
      'not_found',
      'not_in_check',
      'not_judgeable',
      'check_completed',
      'no_reading',
      'not_steady',
      'daemon_unreachable',
      'command_failed',
    ],
  }),
  report: endpoint({
    ...base,
    method: 'GET',
    path: `${path}/:check_id/report`,
    summary: 'The report of a check, for print',
    access: 'login',
    params,
    query: z.strictObject({ language: language.optional().describe('en when absent') }),
    answer: z.string(),
    statuses: [200],
    errors: ['not_found', 'daemon_unreachable', 'command_failed'],
    stream: 'text/html',
  }),
  reportJson: endpoint({
    ...base,
    method: 'GET',
    path: `${path}/:check_id/report.json`,
    summary: 'The report of a check with its chain of hashes, as `orangery commissioning verify` reads it',
    access: 'login',
    params,
    answer: checkReport,
    isDownload: true,
    statuses: [200],
    errors: ['not_found', 'daemon_unreachable', 'command_failed'],
    anyVersion: true,
  }),
};
