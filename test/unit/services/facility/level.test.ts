import { expect, it } from 'vitest';
import type { RuntimeLevel, RuntimeResult } from '../../../../server/contract/facility.ts';
import type { OutputState } from '../../../../server/contract/output.ts';
import { levelOf } from '../../../../server/services/facility/level.ts';

type Alerts = RuntimeResult['alerts']['level'];
/** `inactive` and `gone` stand for an actuator whose state, were it asked for, is unknown; `pause` is off. */
type Actuator = OutputState | 'inactive' | 'gone' | 'pause';

const driven = (is: Actuator) => ({
  reading: { state: is === 'inactive' || is === 'gone' ? null : is === 'pause' ? 'off' : is },
  output: is === 'gone' ? undefined : { is_activated: is !== 'inactive' },
  isPausing: is === 'pause',
});

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
  [['off', 'pause'], 'none', 'active'],
  [[20, null], 'none', 'active'],
  [['on', 'inactive'], 'info', 'active'],
  [['on', null], 'warning', 'warning'],
  [['off', null], 'emergency', 'emergency'],
])('a house whose actuators are %j with alerts %s is %s', (actuators, alerts, level) => {
  expect(levelOf(alerts, actuators.map(driven))).toBe(level);
});
