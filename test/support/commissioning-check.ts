import type { CheckItem, CommissioningCheck } from '../../server/contract/commissioning.ts';

export const checkId = '00000000-0000-4000-8000-0000000000c1';
export const heaterId = '00000000-0000-4000-8000-0000000000d1';
export const thermometerId = '00000000-0000-4000-8000-0000000000d2';

const at = '2026-01-15T04:00:00.000Z';

function item(change: Partial<CheckItem>): CheckItem {
  return {
    device_id: heaterId,
    channel: 0,
    kind: 'actuator',
    role: 'heater',
    name: 'Heater',
    measurement_id: null,
    result: 'ok',
    message: 'Thermometer answered after 51 s.',
    checks: [{ code: 'response', passed: true, measured: 0.32, expected: '>= 0.3', unit: 'C' }],
    evidence: {
      sensor: 'Thermometer',
      device_id: thermometerId,
      measurement_id: thermometerId,
      unit: 'C',
      baseline: 12,
      response: 0.32,
      threshold: 0.3,
      noise: 0.01,
      lag_s: 51,
      driven_at: at,
      restored_at: null,
      trace: { times: [0, 1000, 2000].map((ms) => Date.parse(at) + ms), values: [12, 12.1, 12.32] },
    },
    verdict: 'none',
    verdict_reason: null,
    verdict_by: null,
    verdict_at: null,
    note: '',
    history: [],
    ...change,
  };
}

/** A check of a heater and a thermometer that waits for its verdicts. */
export function sampleCheck(facility_uuid: string, change: Partial<CommissioningCheck> = {}): CommissioningCheck {
  const thermometer = {
    device_id: thermometerId,
    kind: 'sensor',
    role: 'indoor_temp',
    name: 'Thermometer <1>',
  } as const;
  const items = [item({}), item({ ...thermometer, measurement_id: thermometerId, result: 'fail', message: 'Stuck.' })];
  return {
    check_id: checkId,
    facility_uuid,
    facility_name: 'House & garden',
    status: 'awaiting_verdict',
    phase: 'judging',
    reason: null,
    progress: { done: 2, total: 2 },
    started_at: at,
    ended_at: null,
    started_by: 'kim',
    summary: { results: { ok: 1, fail: 1 }, approved: 0, held: 0, unjudged: 2 },
    items,
    ...change,
  };
}
