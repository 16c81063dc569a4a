import { afterEach, describe, expect, it } from 'vitest';
import type { ModbusOptions } from '../../server/contract/drivers/modbus.ts';
import { systemClock } from '../../server/daemon/clock.ts';
import { driver } from '../../server/daemon/drivers/modbus/index.ts';
import { hasPythonModule, startPythonPeer, type Peer } from '../support/peer.ts';

const calm = new AbortController().signal;
let peer: Peer | undefined;

afterEach(() => peer?.kill());

describe.skipIf(!hasPythonModule('pymodbus'))('against the server of python3-pymodbus', () => {
  it('reads a holding register as a temperature and switches a coil', async () => {
    peer = startPythonPeer('modbus-server.py', [JSON.stringify({ 4: 235 })]);
    const { port } = (await peer.next()) as { port: number }; // the first line it prints
    const family = driver.start({ clock: systemClock, log: () => undefined });
    const connect = (kind: 'input' | 'output', registers: ModbusOptions['registers']) =>
      family.connect({ device_id: kind, kind, options: { host: '127.0.0.1', port, registers }, channels: [0] }, calm);

    const thermometer = await connect('input', [
      { channel: 0, table: 'holding', address: 4, type: 'int16', scale: 0.1 },
    ]);
    expect(await thermometer.read?.(calm)).toEqual([{ channel: 0, value: 23.5 }]);

    const heater = await connect('output', [{ channel: 0, table: 'coil', address: 3 }]);
    expect(await heater.write?.(0, 'on', calm)).toEqual({ acknowledged: true });
    expect(await peer.next()).toEqual({ table: 'coil', address: 3, values: [true] });
    expect(await heater.readState?.(calm)).toEqual(new Map([[0, 'on']]));
    await family.close();
  });
});
