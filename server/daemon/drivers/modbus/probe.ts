import type { ModbusProbed } from '../../../contract/drivers/modbus.ts';
import { messageOf } from '../../../contract/message-of.ts';
import { DriverError } from '../driver.ts';
import type { ModbusBus } from './bus.ts';

/** How long a unit may take to answer, ms: milliseconds usually, this long over a slow serial line. */
const probeMs = 500;
/** A gateway's codes for a unit that does not answer: path unavailable, target failed to respond. */
const gatewayCodes = [10, 11];

/** Reads one register: any answer, even a refusal, shows that the unit exists. Never rejects. */
export async function probeUnit(bus: ModbusBus, unit_id: number, signal: AbortSignal): Promise<ModbusProbed> {
  try {
    await bus.request({
      unit_id,
      urgency: 'poll',
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
  if (error.code === 'timed_out') return 'silent';
  if (error.code !== 'refused') return 'unreachable';
  return gatewayCodes.includes(modbusCodeOf(error.cause) ?? 0) ? 'silent' : 'answers';
}

function modbusCodeOf(cause: unknown): number | undefined {
  const isException = typeof cause === 'object' && cause !== null && 'modbusCode' in cause;
  return isException && typeof cause.modbusCode === 'number' ? cause.modbusCode : undefined;
}
