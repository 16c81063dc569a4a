import { z } from 'zod';
import { accuracy } from './commissioning-accuracy.ts';
import { checkWords, finding } from './commissioning-finding.ts';
import { actuatorRoles, sensorRoles } from './facility-binding.ts';
import { channelNumber, uuid } from './identifier.ts';
import { countOf, epochMs, measured, quantity } from './quantity.ts';
import { timestamp } from './time.ts';

/** A quantity whose unit is beside it in the same object. */
const inUnit = (description: string) => measured(`${description}, in unit`).nullable();

export const checkStatuses = ['running', 'awaiting_verdict', 'completed', 'aborted', 'error'] as const;
export const checkStatus = z.enum(checkStatuses);
export type CheckStatus = z.infer<typeof checkStatus>;

export const checkPhases = ['sensors', 'actuators', 'judging', 'ended'] as const;
export const checkPhase = z
  .enum(checkPhases)
  .describe('sensors: only watched; actuators: driven one group after the other; judging: verdicts are awaited');
export type CheckPhase = z.infer<typeof checkPhase>;

export const itemResults = [
  'pending',
  'running',
  'ok',
  'warn',
  'fail',
  'inconclusive',
  'timeout',
  'error',
  'skipped',
] as const;
export const itemResult = z
  .enum(itemResults)
  .describe('inconclusive: something else interfered; timeout: nothing was heard; error: the device went away')
  .meta({ id: 'item_result' });
export type ItemResult = z.infer<typeof itemResult>;

export const sensorCheckCodes = [
  'received',
  'quality',
  'range',
  'spike',
  'rate',
  'noise',
  'flat_line',
  'agreement',
  'responds',
  'swapped',
  'gain',
  'offset',
  'balance',
  'lag',
  // Beside what was driven; 'noise' and 'rate' are of the time before.
  'residual',
  'drift',
] as const;
export const actuatorCheckCodes = [
  'available',
  'feedback',
  'gradient',
  'response',
  'direction',
  'wiring',
  'undisturbed',
  'limit',
  'restored',
] as const;
export const checkCode = z.enum([...sensorCheckCodes, ...actuatorCheckCodes]);
export type CheckCode = z.infer<typeof checkCode>;

export const itemCheck = z.strictObject({
  code: checkCode,
  passed: z.boolean().nullable().describe('null: could not be judged'),
  measured: z.union([z.number(), z.string()]).nullable().describe('In unit, any finite number, a name or a word'),
  expected: z
    .string()
    .describe(`What it was held against, e.g. ">= 0.3" or "-20..60", a name, or a word: ${checkWords.join(', ')}`),
  unit: z.string(),
});
export type ItemCheck = z.infer<typeof itemCheck>;

export const evidence = z.strictObject({
  sensor: z.string().nullable().describe('Name of the sensor that it was seen on'),
  role: z
    .enum(sensorRoles)
    .nullish()
    .describe('What the house uses that sensor for; null for one that is not its own, absent in older reports'),
  device_id: uuid.nullable(),
  measurement_id: uuid.nullable(),
  unit: z.string(),
  baseline: inUnit('Mean before the command, of a sensor its mean while it was only watched'),
  response: inUnit('Change against the baseline'),
  threshold: inUnit('Least change that counts'),
  noise: inUnit('Standard deviation about the baseline'),
  lag_s: quantity('s', 'From the command to the first change').nullable(),
  driven_at: timestamp.nullable(),
  restored_at: timestamp.nullable(),
  trace: z
    .strictObject({
      times: z.array(epochMs).describe('Epoch ms, 0 and more'),
      values: z.array(measured('In unit').nullable()),
    })
    .describe('What the sensor said, by epoch ms'),
});
export type Evidence = z.infer<typeof evidence>;

export const verdictReasons = ['device', 'sensor', 'external'] as const;
export const verdictReason = z.enum(verdictReasons).describe('Where a held result comes from');
export const verdictValue = z.enum(['approved', 'held']);
export type VerdictValue = z.infer<typeof verdictValue>;

export const givenVerdict = z.strictObject({
  verdict: verdictValue,
  reason: verdictReason.nullable(),
  note: z.string(),
  by: z.string(),
  at: timestamp,
});
export type GivenVerdict = z.infer<typeof givenVerdict>;

/** The result of one test of an item. */
const found = {
  result: itemResult,
  message: z.string().describe('What was found, in English; empty while nothing was'),
  findings: z.array(finding).optional().describe('What the message says; absent in checks of earlier versions'),
  checks: z.array(itemCheck),
  evidence: evidence.nullable(),
};

export const itemRetest = z.strictObject({
  at: timestamp,
  by: z.string(),
  former: z.strictObject(found).describe('What the test before it had found'),
});
export type ItemRetest = z.infer<typeof itemRetest>;

export const checkItem = z.strictObject({
  device_id: uuid,
  channel: channelNumber.nullable().describe('null: the device is gone'),
  kind: z.enum(['sensor', 'actuator']),
  role: z.enum([...sensorRoles, ...actuatorRoles]),
  name: z.string(),
  measurement_id: uuid.nullable().describe('Of a sensor'),
  ...found,
  retests: z
    .array(itemRetest)
    .optional()
    .describe(
      'Each time that it was tested again because it was undecided, the oldest first; absent while it never was',
    ),
  accuracy: accuracy.optional().describe('Of a sensor, against a typed reference; absent while none was typed'),
  verdict: z.enum(['none', 'approved', 'held']),
  verdict_reason: verdictReason.nullable(),
  verdict_by: z.string().nullable(),
  verdict_at: timestamp.nullable(),
  note: z.string(),
  history: z.array(givenVerdict).describe('Verdicts that were replaced, the oldest first'),
});
export type CheckItem = z.infer<typeof checkItem>;

const itemCount = countOf('Items');

export const checkSummary = z.strictObject({
  results: z.partialRecord(itemResult, itemCount).describe('Items by result'),
  approved: itemCount,
  held: itemCount,
  unjudged: itemCount,
});
export type CheckSummary = z.infer<typeof checkSummary>;

export const checkReopening = z.strictObject({ reason: z.string(), by: z.string(), at: timestamp });
export type CheckReopening = z.infer<typeof checkReopening>;

export const checkReopen = z.strictObject({
  reason: z.string().trim().min(1).max(500).describe('Why a completed check is judged anew; it stays in the report'),
});

/** A check without its items, as in lists and events. */
export const checkOverview = z.strictObject({
  check_id: uuid,
  facility_uuid: uuid,
  facility_name: z.string(),
  status: checkStatus,
  phase: checkPhase,
  reason: z.string().nullable().describe('Why it was aborted or failed, in English'),
  cause: finding.optional().describe('What the reason says; absent without one, and in checks of earlier versions'),
  progress: z.strictObject({ done: itemCount, total: itemCount }),
  started_at: timestamp,
  ended_at: timestamp.nullable(),
  expected_end_at: timestamp
    .optional()
    .describe(
      'While it runs: when all that is planned now will be tested; what needs more patience is planned meanwhile',
    ),
  started_by: z.string(),
  reopened: z
    .array(checkReopening)
    .optional()
    .describe('Each time it was completed and opened again, the oldest first; absent while it never was'),
  summary: checkSummary,
});
export type CheckOverview = z.infer<typeof checkOverview>;

export const commissioningCheck = checkOverview.extend({ items: z.array(checkItem) });
export type CommissioningCheck = z.infer<typeof commissioningCheck>;

export const checkPlan = z.strictObject({
  takes_s: quantity('s', 'Until all is tested; what is not clear then is tested once more for longer'),
});
export type CheckPlan = z.infer<typeof checkPlan>;

export const checkVerdict = z.strictObject({
  device_id: uuid,
  channel: channelNumber.optional().describe('All of the device when absent'),
  verdict: verdictValue,
  reason: verdictReason.optional().describe('Why it is held; of one held without, the report says so'),
  note: z.string().max(2000).optional(),
});
export type CheckVerdict = z.infer<typeof checkVerdict>;
