import { join } from 'node:path';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import type { Alarm, AlarmEntry } from '../../../../server/contract/alarm.ts';
import type { Input } from '../../../../server/contract/input.ts';
import type { Output } from '../../../../server/contract/output.ts';
import { pidKind } from '../../../../server/contract/pid.ts';
import { controlMigrations } from '../../../../server/db/migrations/control.ts';
import { openDatabase } from '../../../../server/db/open.ts';
import { AlarmRepository } from '../../../../server/db/repositories/alarm.ts';
import { ControllerRepository } from '../../../../server/db/repositories/controller.ts';
import { InputRepository } from '../../../../server/db/repositories/input.ts';
import { OutputRepository } from '../../../../server/db/repositories/output.ts';
import { freePort, startDaemon, until } from '../../../support/daemon-process.ts';
import { daemonSite, plainChannel, simulatedOutput, ventId } from '../../../support/daemon-site.ts';
import { startModbusWitness } from '../../../support/modbus-witness.ts';
import { venting } from '../../../support/pid-bench.ts';

const sensors = 40;
const valves = 20;

/** A gateway that passes everything on to a server, and can be cut off and connected again. */
async function gatewayTo(port: number) {
  const own = await freePort();
  const sockets = new Set<Socket>();
  let server: Server | undefined;
  const cutOff = async (): Promise<void> => {
    const closed = server === undefined ? undefined : once(server, 'close');
    server?.close();
    server = undefined;
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const takeUp = async (): Promise<void> => {
    server = createServer((socket) => {
      const through = connect(port, '127.0.0.1');
      for (const one of [socket, through]) {
        sockets.add(one);
        one.on('error', () => undefined).once('close', () => sockets.delete(one));
      }
      socket.pipe(through).pipe(socket);
    }).listen(own, '127.0.0.1');
    await once(server, 'listening');
  };
  await takeUp();
  onTestFinished(cutOff);
  return { port: own, cutOff, takeUp };
}

const idOf = (n: number, of: string): string => `00000000-0000-4000-8000-0000000${of}${String(n).padStart(4, '0')}`;

const inputOf = (n: number, port: number): Input => ({
  ...{ unique_id: idOf(n, 'e'), name: `Sensor ${n}` },
  ...{ driver: 'modbus', period_s: 1, start_offset_s: 0, pre_output: null, power_output: null, is_activated: true },
  options: { host: '127.0.0.1', port, unit_id: n, registers: [{ channel: 0, table: 'holding', address: 1 }] },
  channels: [{ ...plainChannel, measurement_id: idOf(n, 'd') }],
});

/** A valve that the daemon drives safe while it is lost, and that is found safe. */
const valveOf = (n: number, port: number): Output => ({
  ...simulatedOutput(idOf(n, 'f'), 'heater'),
  ...{ name: `Valve ${n}`, driver: 'modbus' },
  options: { host: '127.0.0.1', port, unit_id: n, registers: [{ channel: 0, table: 'coil', address: n }] },
});

it('forty sensors and twenty valves behind a gateway that is cut off, and a PID by one, are one alarm and one message, and all end with it', async () => {
  const { port } = await startModbusWitness();
  const gateway = await gatewayTo(port);
  const dataDirectory = daemonSite({}, undefined, (database) => {
    const inputs = new InputRepository(database);
    for (let n = 1; n <= sensors; n += 1) inputs.insert(inputOf(n, gateway.port));
    const outputs = new OutputRepository(database);
    for (let n = 1; n <= valves; n += 1) outputs.insert(valveOf(n, gateway.port));
    outputs.insert(simulatedOutput(ventId, 'side_vent'));
    const measurement = { device_id: idOf(1, 'e'), measurement_id: idOf(1, 'd'), max_age_s: 3 };
    new ControllerRepository(database, pidKind).insert({ ...venting, period_s: 1, measurement });
  });
  const daemon = startDaemon({ dataDirectory });
  await daemon.ready;
  const control = openDatabase(join(dataDirectory, 'control.db'), { migrations: controlMigrations });
  onTestFinished(() => void control.close());
  const alarms = new AlarmRepository(control);
  const journal = (): AlarmEntry[] => alarms.after(0, 10_000);
  const beneath = (): Alarm[] => alarms.list().filter(({ code, caused_by }) => code === 'controller_down' && caused_by);

  await gateway.cutOff();
  await until(beneath, ({ length }) => length === sensors + valves);
  await until(
    () => alarms.list(),
    (all) => all.some(({ code, state }) => code === 'control_stopped' && state === 'suppressed'),
  );
  const [cause, ...others] = alarms.list().filter(({ state }) => state !== 'suppressed');
  expect(others).toEqual([]);
  expect(cause).toMatchObject({ code: 'connection_lost', source_name: `127.0.0.1:${gateway.port}` });
  expect(new Set(beneath().map(({ caused_by }) => caused_by))).toEqual(new Set([cause?.alarm_id]));

  await gateway.takeUp();
  await until(
    () => alarms.list(),
    ([one, ...rest]) => rest.length === 0 && one?.state === 'returned',
    90,
  );
  // The news of the journal is what is sent.
  const heard = journal().filter(({ state, state_before }) => state === 'unacknowledged' && state_before !== state);
  expect(heard.map(({ code }) => code)).toEqual(['connection_lost']);
}, 150_000);
