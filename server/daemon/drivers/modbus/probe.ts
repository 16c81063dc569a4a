import type { ModbusProbed } from '../../../contract/drivers/modbus.ts';
import { messageOf } from '../../../contract/message-of.ts';
import { DriverError } from '../driver.ts';
import { isSilence, type ModbusBus } from './bus.ts';

/** How long a unit may take to answer, ms: milliseconds usually, this long over a slow serial line. */
const probeMs = 500;

/** Reads one register: any answer, even a refusal, shows that the unit exists. Never rejects. */
export async function probeUnit(bus: ModbusBus, unit_id: number, signal: AbortSignal): Promise<ModbusProbed> {
  try {
    await bus.request({
      unit_id,
      urgency: 'poll',
      isProbe: true,
      timeoutMs: probeMs,
      signal,
      ask: (client) => client.readHoldingRegisters(0, 1),
    });
    return { unit_id, found: 'answers', message: 'holding register 0 can be read' };
  } catch (error) {
    return { unit_id, found: foundBy(error), message: messageOf(error) };
  }
}

function foundBy(error: unknown): ModbusProbed['found'] {
  if (!(error instanceof DriverError)) return 'unreachable';
  if (isSilence(error)) return 'silent';
  return error.code === 'refused' ? 'answers' : 'unreachable';
}
