import { expect, it } from 'vitest';
import type { RuntimeLevel, RuntimeResult } from '../../../../server/contract/facility.ts';
import type { OutputState } from '../../../../server/contract/output.ts';
import { isPausing } from '../../../../server/contract/output-state.ts';
import { levelOf } from '../../../../server/services/facility/level.ts';

type Alerts = RuntimeResult['alerts']['level'];
/** `inactive` and `gone` stand for an actuator whose state, were it asked for, is unknown. */
type Actuator = OutputState | 'inactive' | 'gone' | { pausedAs: OutputState };

const reason = { code: 'heat_pause', facts: {} } as const;
const cause = { kind: 'climate', unique_id: 'days', name: 'Days', because: '', reason } as const;

function driven(is: Actuator) {
  const isPaused = typeof is === 'object' && is !== null;
  const state = isPaused ? is.pausedAs : is === 'inactive' || is === 'gone' ? null : is;
  return {
    reading: { state },
    output: is === 'gone' ? undefined : { is_activated: is !== 'inactive' },
    isPausing: isPausing({ state, rule: null, cause: isPaused ? cause : undefined }),
  };
}

it.each<[Actuator[], Alerts, RuntimeLevel]>([
  [[], 'none', 'idle'],
  [['off', 0], 'none', 'idle'],
  [['off', 0], 'info', 'idle'],
  [['off', null], 'none', 'unknown'],
  [[null, null], 'none', 'unknown'],
  [['off', 'inactive'], 'none', 'idle'],
  [[null, 'inactive'], 'none', 'unknown'],
  [['inactive', 'inactive'], 'none', 'unknown'],
  [['off', 'gone'], 'none', 'idle'],
  [['gone'], 'none', 'unknown'],
  [['off', 'on'], 'none', 'active'],
  [['off', { pausedAs: 'off' }], 'none', 'active'],
  [['off', { pausedAs: 0 }], 'none', 'active'],
  [['off', { pausedAs: null }], 'none', 'unknown'],
  [[20, null], 'none', 'active'],
  [['on', 'inactive'], 'info', 'active'],
  [['on', null], 'warning', 'warning'],
  [['off', null], 'emergency', 'emergency'],
])('a house whose actuators are %j with alerts %s is %s', (actuators, alerts, level) => {
  expect(levelOf(alerts, actuators.map(driven))).toBe(level);
});
