import type { ModbusProbed } from '../../../contract/drivers/modbus.ts';
import { messageOf } from '../../../contract/message-of.ts';
import { DriverError } from '../driver.ts';
import type { ModbusBus } from './bus.ts';

/** A unit that is there answers within milliseconds, over a slow serial line within this time, ms. */
const probeMs = 500;
/** What a gateway says for a unit that does not answer it: path unavailable, target failed to respond. */
const gatewayCodes = [10, 11];

/** Asks for one register: any answer says that the unit is there, also a refusal. Never rejects. */
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
