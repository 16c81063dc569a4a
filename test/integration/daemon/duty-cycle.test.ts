import { expect, it } from 'vitest';
import type { OutputState } from '../../../server/contract/output.ts';
import { OutputRepository } from '../../../server/db/repositories/output.ts';
import type { DaemonControl } from '../../../server/orangery_client.ts';
import { configure, daemonSite, heaterId, simulatedOutput } from '../../support/daemon-site.ts';
import { startDaemon, until } from '../../support/daemon-process.ts';
import { startModbusWitness } from '../../support/modbus-witness.ts';

const coil = 7;

it('a relay keeps a duty cycle, and keeps it again after kill -9', { timeout: 90_000 }, async () => {
  const device = await startModbusWitness();
  const dataDirectory = daemonSite();
  configure(dataDirectory, (database) =>
    new OutputRepository(database).update({
      ...simulatedOutput(heaterId, 'heater', { pwm_cycle_s: 1, pwm_min_on_s: 0.1 }),
      driver: 'modbus',
      options: { host: '127.0.0.1', port: device.port, registers: [{ channel: 0, table: 'coil', address: coil }] },
    }),
  );
  const cyclesFrom = (mark: number): Promise<boolean[]> =>
    until(
      () => device.moves(coil, mark),
      (moves) => moves.length >= 4,
      20,
    );
  const keeps = (control: DaemonControl): Promise<OutputState> =>
    until(
      () => control.output_state(heaterId),
      (state) => state === 30,
      20,
    );
  const first = startDaemon({ dataDirectory });
  const before = await first.service();
  const mark = device.mark();
  const override_until = new Date(Date.now() + 600_000).toISOString();
  const command = { output_id: heaterId, state: true, duty_cycle_pct: 30, override_until };
  await before.output_command(command);
  expect((await cyclesFrom(mark)).slice(0, 4)).toEqual([true, false, true, false]);
  await keeps(before);
  first.child.kill('SIGKILL');
  await first.ended;
  const restarted = device.mark();
  const after = await startDaemon({ dataDirectory }).service();
  await cyclesFrom(restarted);
  await keeps(after);
  const { outputs } = await after.live_state();
  expect(outputs.find(({ output_id }) => output_id === heaterId)).toMatchObject({ source: 'manual', wanted: null });
  expect(await after.output_on(heaterId, 'pwm', 60)).toEqual([1, expect.stringMatching(/^blocked/)]);
});
