import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FacilityRepository } from '../../../server/db/repositories/facility.ts';
import { InputRepository } from '../../../server/db/repositories/input.ts';
import { OutputRepository } from '../../../server/db/repositories/output.ts';
import type { DaemonControl } from '../../../server/orangery_client.ts';
import { newActuator, newFacility, newSensor } from '../../support/commissioning-bench.ts';
import { configure, daemonSite } from '../../support/daemon-site.ts';
import { startDaemon, until } from '../../support/daemon-process.ts';

/** A baseline takes ten seconds, on a busy machine more. */
const longest_s = 100;

/** A house with a thermometer and a heater that changes nothing, so that it is driven for minutes. */
function addHouse(dataDirectory: string) {
  const house = randomUUID();
  const input = newSensor({ role: 'indoor_temp', period_s: 0.5 }, house);
  const output = newActuator({ role: 'heater', fault: { kind: 'no_effect' } }, house);
  const sensor = { role: 'indoor_temp', name: 'Thermometer', input } as const;
  const facility = newFacility([sensor], [{ role: 'heater', name: 'Heater', output }]);
  configure(dataDirectory, (database) => {
    new InputRepository(database).insert(input);
    new OutputRepository(database).insert(output);
    new FacilityRepository(database).insert(facility);
  });
  return { facility: facility.unique_id, heater: output.unique_id };
}

async function stateOf(control: DaemonControl, heater: string) {
  const { outputs } = await control.live_state();
  return outputs.find(({ output_id }) => output_id === heater);
}

/** Turns the heater on by hand and begins a check of it alone; gives the check when it is driven off. */
async function driven(control: DaemonControl, { facility, heater }: ReturnType<typeof addHouse>): Promise<string> {
  await control.output_command({ output_id: heater, state: true, actor: 'lee' });
  const { check_id } = await control.commissioning_start(facility, [heater], 'kim');
  const isDriven = (state: Awaited<ReturnType<typeof stateOf>>): boolean =>
    state?.source === 'commissioning' && state.state === 'off';
  await until(() => stateOf(control, heater), isDriven, longest_s);
  return check_id;
}

describe('what a check drives', () => {
  // One test: the baselines of three houses are waited for at once.
  it(
    'is what it was after an abort and a kill -9, and stays stopped after an emergency stop',
    async () => {
      const [dataDirectory, otherDirectory] = [daemonSite(), daemonSite()];
      const [aborted, killed, stopped] = [dataDirectory, dataDirectory, otherDirectory].map(addHouse);
      if (aborted === undefined || killed === undefined || stopped === undefined) throw new Error('three were made');
      const [first, other] = [startDaemon({ dataDirectory }), startDaemon({ dataDirectory: otherDirectory })];
      const [before, beside] = [await first.service(), await other.service()];
      const [abortedCheck, killedCheck, stoppedCheck] = await Promise.all([
        driven(before, aborted),
        driven(before, killed),
        driven(beside, stopped),
      ]);

      const ended = await before.commissioning_abort(abortedCheck, 'kim');
      expect(ended).toMatchObject({ status: 'aborted', cause: { code: 'aborted', by: 'kim' } });
      expect(ended.items[0]).toMatchObject({ findings: [{ code: 'aborted_meanwhile' }] });
      expect(await stateOf(before, aborted.heater)).toMatchObject({ state: 'on' });

      first.child.kill('SIGKILL');
      await first.ended;
      const after = await startDaemon({ dataDirectory }).service();
      await until(
        () => stateOf(after, killed.heater),
        (state) => state?.state === 'on',
        longest_s,
      );
      const known = await after.commissioning_get(killedCheck);
      expect(known).toMatchObject({ status: 'aborted', cause: { code: 'daemon_restarted' } });
      expect(known.items[0]).toMatchObject({ result: 'skipped' });

      await beside.emergency_stop('smoke', 'kim');
      const { cause } = await until(
        () => beside.commissioning_get(stoppedCheck),
        ({ status }) => status === 'aborted',
        longest_s,
      );
      expect(cause).toEqual({ code: 'emergency_stop' });
      await beside.emergency_stop_release('kim');
      expect(await stateOf(beside, stopped.heater)).toMatchObject({ state: 'off', source: null });
    },
    3 * 1000 * longest_s,
  );
});
