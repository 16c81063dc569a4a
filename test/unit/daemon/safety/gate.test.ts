import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { currentRule } from '../../../../server/daemon/safety/current.ts';
import { SafetyGate, type GateRequest, type SiteView } from '../../../../server/daemon/safety/gate.ts';
import { interlockRule, type InterlockRow } from '../../../../server/daemon/safety/interlock.ts';
import { limitRule, staleRule } from '../../../../server/daemon/safety/site-rules.ts';
import { isOn } from '../../../../server/contract/output-state.ts';

const runs = process.env['TEST_SCALE'] === 'long' ? 1_000_000 : 5_000;

const id = fc.constantFrom('a', 'b', 'c');
const value = fc.oneof(fc.constantFrom('on' as const, 'off' as const), fc.double({ min: 0, max: 100, noNaN: true }));
const exposure = fc.oneof(fc.constant(Infinity), fc.constant(0), fc.double({ min: 0, max: 100, noNaN: true }));
const row: fc.Arbitrary<InterlockRow> = fc.record({
  name: fc.constant('rule'),
  while_output_id: id,
  while_channel: fc.constant(0),
  above_pct: fc.nat(100),
  forbids_output_id: id,
  forbids_channel: fc.constant(0),
});
const state = fc.record({
  request: fc.record<GateRequest>({
    output_id: id,
    channel: fc.constant(0),
    value,
    source: fc.constantFrom('manual', 'commissioning', 'automatic', null),
    is_on: fc.boolean(),
    safe_state: value,
    current_a: fc.option(fc.double({ min: 0.1, max: 20, noNaN: true })),
  }),
  exposures: fc.record({ a: exposure, b: exposure, c: exposure }),
  others_a: fc.double({ min: 0, max: 50, noNaN: true }),
  max_current_a: fc.option(fc.double({ min: 1, max: 50, noNaN: true })),
  interlocks: fc.array(row, { maxLength: 4 }),
  isStopped: fc.boolean(),
  isBlind: fc.boolean(),
  isClosing: fc.boolean(),
});

describe('the safety gate', () => {
  it('has the last word, and only ever a safer one', () => {
    let objections = 0;
    fc.assert(
      fc.property(state, ({ request, exposures, others_a, max_current_a, interlocks, ...now }) => {
        const held = now.isStopped ? { since_ms: 0, actor: 'kim', reason: null } : null;
        const closing = [
          limitRule({ closing: () => (now.isClosing ? { rule: 'wind', message: 'wind' } : undefined) }),
          currentRule(() => max_current_a),
          interlockRule(() => interlocks),
        ];
        const stale = staleRule({ blindness: () => (now.isBlind ? { name: 'silent', closes: false } : undefined) });
        const gate = new SafetyGate({ held }, [stale, ...closing]);
        const site: SiteView = {
          exposurePct: (output_id) => exposures[output_id as keyof typeof exposures], // the ids of the arbitrary
          currentBeside: () => others_a,
        };
        const objection = gate.judge(request, site);
        const word = objection?.value ?? request.value;
        if (objection !== undefined) objections += 1;
        if (now.isStopped) return void expect(word).toBe(request.safe_state);
        for (const rule of closing) expect(rule({ ...request, value: word }, site)).toBeUndefined();
        const isBlind = now.isBlind && request.source === 'automatic';
        if (isBlind && isOn(word)) expect(word).toBe(request.safe_state);
        if (!isBlind && word !== request.value) expect(word).toBe('off');
      }),
      { numRuns: runs },
    );
    expect(objections).toBeGreaterThan(runs / 10);
  }, 600_000);
});
