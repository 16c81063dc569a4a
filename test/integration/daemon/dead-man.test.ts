import { expect, it } from 'vitest';
import { OutputRepository } from '../../../server/db/repositories/output.ts';
import { configure, daemonSite, heaterId, simulatedOutput } from '../../support/daemon-site.ts';
import { startDaemon, until } from '../../support/daemon-process.ts';
import { startModbusWitness } from '../../support/modbus-witness.ts';

const timerAddress = 0x1003;
const heater = 7;

it('a device with a dead-man timer falls safe by itself when the daemon is killed', async () => {
  const device = await startModbusWitness({ address: timerAddress, after_ms: 2_000 });
  const dataDirectory = daemonSite();
  configure(dataDirectory, (database) =>
    new OutputRepository(database).update({
      ...simulatedOutput(heaterId, 'heater'),
      driver: 'modbus',
      options: {
        host: '127.0.0.1',
        port: device.port,
        dead_man: { address: timerAddress, dead_man_s: 2 },
        registers: [{ channel: 0, table: 'coil', address: heater }],
      },
    }),
  );
  const daemon = startDaemon({ dataDirectory });
  const service = await daemon.service();
  const mark = device.mark();
  await service.output_command({ output_id: heaterId, state: true });
  // Where this machine stalls the device falls safe in between, and the daemon brings it back.
  await until(
    () => device.coil(heater),
    (isOn) => isOn,
  );
  const before = device.feeds();
  await until(
    () => device.feeds(),
    (feeds) => feeds >= before + 2,
  );
  daemon.child.kill('SIGKILL');
  await daemon.ended;
  await until(
    () => device.coil(heater),
    (isOn) => !isOn,
  );
  expect(device.moves(heater, mark).at(0)).toBe(true);
});
