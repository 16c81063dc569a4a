import { conditional, conditionalKind } from '../../server/contract/conditional.ts';
import { functionKind, functionSettings } from '../../server/contract/function.ts';
import { lcd } from '../../server/contract/lcd.ts';
import { pid, pidKind } from '../../server/contract/pid.ts';
import { trigger, triggerKind } from '../../server/contract/trigger.ts';
import { ControllerRepository } from '../../server/db/repositories/controller.ts';
import { LcdRepository } from '../../server/db/repositories/lcd.ts';
import { configure, daemonSite, heaterId, indoorId, temperatureId, ventId } from './daemon-site.ts';
import { startDaemon } from './daemon-process.ts';

const id = (n: number) => `00000000-0000-4000-8000-0000000000d${n}`;
export const [pidId, functionId, ruleId, conditionId, triggerId, actionId, lcdId, listId] = [
  1, 2, 3, 4, 5, 6, 7, 8,
].map(id) as [
  ...[string, string, string, string, string, string, string, string], // eight of them
];
const base = { is_activated: true };
const measurement = { device_id: indoorId, measurement_id: temperatureId, max_age_s: 60 };

/** A daemon with one running controller of each kind. */
export function wholeDaemon() {
  const dataDirectory = daemonSite();
  configure(dataDirectory, (database) => {
    const lower = { output_id: ventId, kind: 'pwm' };
    const law = { ...pidKind.stored?.defaults, ...base, measurement, period_s: 1, setpoint: 20, kp: 1 };
    new ControllerRepository(database, pidKind).insert(
      pid.parse({ ...law, unique_id: pidId, name: 'Vent', direction: 'lower', lower }),
    );
    const sums = { kind: 'degree_hours', options: { period_s: 1, temperature: measurement, base_c: -50 } };
    new ControllerRepository(database, functionKind).insert(
      functionSettings.parse({ ...base, unique_id: functionId, name: 'Warmth', ...sums }),
    );
    const named = { unique_id: conditionId, name: 't', kind: 'measurement', ...measurement };
    const { max_age_s: _, ...series } = measurement;
    const listed = { unique_id: listId, name: 'all', kind: 'dict', ...series, over_s: 60 };
    new ControllerRepository(database, conditionalKind).insert(
      conditional.parse({
        ...base,
        unique_id: ruleId,
        name: 'Rule',
        period_s: 1,
        start_offset_s: 0,
        actions: [],
        conditions: [named, listed],
        statement: '',
      }),
    );
    const heat = { unique_id: actionId, name: 'heat', kind: 'output', output_id: heaterId, state: true };
    new ControllerRepository(database, triggerKind).insert(
      trigger.parse({
        ...base,
        unique_id: triggerId,
        name: 'Seldom',
        missed: 'skip',
        kind: 'interval',
        period_s: 3600,
        actions: [heat],
      }),
    );
    const size = { columns: 20, rows: 4, line_sets: [[{ kind: 'text', text: 'House 1' }]] };
    new LcdRepository(database).insert(
      lcd.parse({ ...base, unique_id: lcdId, name: 'Door', driver: 'virtual', options: size }),
    );
  });
  return startDaemon({ dataDirectory });
}
