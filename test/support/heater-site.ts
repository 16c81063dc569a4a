import { OutputRepository } from '../../server/db/repositories/output.ts';
import { startDaemon, until, type DaemonUnderTest } from './daemon-process.ts';
import { configure, daemonSite, heaterId, simulatedOutput } from './daemon-site.ts';
import { startModbusWitness, type ModbusWitness } from './modbus-witness.ts';

/** Coil of the witness. */
export const heater = 3;

/** A site whose heater, a coil of a witness, was on when its daemon was killed. */
export async function killedWhileOn(folder: string): Promise<ModbusWitness> {
  const { witness, daemon } = await heaterOn(folder);
  await kill(daemon);
  return witness;
}

/** A site whose heater, a coil of a witness, is on. */
export async function heaterOn(folder: string, port = 0): Promise<{ witness: ModbusWitness; daemon: DaemonUnderTest }> {
  const witness = await startModbusWitness();
  daemonSite({}, folder);
  configure(folder, (database) =>
    new OutputRepository(database).update({
      ...simulatedOutput(heaterId, 'heater'),
      driver: 'modbus',
      options: { host: '127.0.0.1', port: witness.port, registers: [{ channel: 0, table: 'coil', address: heater }] },
    }),
  );
  const daemon = startDaemon({ dataDirectory: folder, port });
  const control = await daemon.service();
  const { outcome } = await control.output_command({ output_id: heaterId, state: true });
  if (outcome !== 'confirmed' || !witness.coil(heater)) throw new Error(`the heater is not on: ${outcome}`);
  return { witness, daemon };
}

export async function kill(daemon: DaemonUnderTest): Promise<void> {
  daemon.child.kill('SIGKILL');
  await daemon.ended;
}

export async function goesSafe(witness: ModbusWitness): Promise<void> {
  await until(
    () => witness.coil(heater),
    (isOn) => !isOn,
    15, // 1 s on an idle machine
  );
}
