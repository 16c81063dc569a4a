import { expect, it } from 'vitest';
import { conditional, conditionalKind } from '../../../server/contract/conditional.ts';
import { trigger, triggerKind } from '../../../server/contract/trigger.ts';
import { ControllerRepository } from '../../../server/db/repositories/controller.ts';
import type { DaemonControl } from '../../../server/orangery_client.ts';
import { configure, daemonSite, heaterId, indoorId, temperatureId, ventId } from '../../support/daemon-site.ts';
import { startDaemon, until } from '../../support/daemon-process.ts';

const id = (n: number) => `00000000-0000-4000-8000-0000000000c${n}`;
const series = { device_id: indoorId, measurement_id: temperatureId };

const venting = conditional.parse({
  unique_id: id(1),
  name: 'Air',
  is_activated: true,
  period_s: 1,
  start_offset_s: 0,
  conditions: [
    { unique_id: id(2), name: 't', kind: 'measurement', ...series, max_age_s: 60 },
    { unique_id: id(3), name: 'hour', kind: 'dict', ...series, over_s: 3600 },
  ],
  statement: 'if (t > -80 && count(hour) > 0) { run(vent, 35); }',
  actions: [{ unique_id: id(4), name: 'vent', kind: 'output', output_id: ventId, state: true, duty_cycle_pct: 0 }],
});
const heating = trigger.parse({
  unique_id: id(5),
  name: 'Often',
  is_activated: true,
  missed: 'skip',
  kind: 'interval',
  period_s: 1,
  actions: [{ unique_id: id(6), name: 'heat', kind: 'output', output_id: heaterId, state: true }],
});

const stateOf = async (control: DaemonControl, outputId: string) =>
  (await control.live_state()).outputs.find(({ output_id }) => output_id === outputId);

it(
  'triggers and conditional functions act by what is measured and stored, say why, and obey programs',
  { timeout: 60_000 },
  async () => {
    const dataDirectory = daemonSite();
    configure(dataDirectory, (database) => {
      new ControllerRepository(database, conditionalKind).insert(venting);
      new ControllerRepository(database, triggerKind).insert(heating);
    });
    const control = await startDaemon({ dataDirectory }).service();
    const vent = await until(
      () => stateOf(control, ventId),
      (one) => one?.state === 35,
      20,
    );
    expect(vent?.cause).toMatchObject({ kind: 'conditional', unique_id: id(1), name: 'Air' });
    expect(vent?.cause?.because).toMatch(/^t > -80 && count\(hour\) > 0 \(t = [-\d.]+\s°C, hour = list of \d+\)$/);
    const heater = await until(
      () => stateOf(control, heaterId),
      (one) => one?.state === 'on',
      20,
    );
    expect(heater).toMatchObject({ source: 'automatic', actor: 'trigger Often' });
    expect(await control.get_condition_measurement(id(2))).toEqual(expect.any(Number));
    expect((await control.get_condition_measurement_dict(id(3)))?.length).toBeGreaterThan(0);
    expect(await control.controller_deactivate(id(1))).toEqual([0, expect.any(String)]);
    expect((await stateOf(control, ventId))?.state).toBe('off');
    expect(await control.trigger_all_actions(id(5), 'by hand')).toMatchObject([{ name: 'heat', outcome: 'confirmed' }]);
  },
);
