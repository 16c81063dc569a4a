import { onScopeDispose, shallowRef, type ShallowRef } from 'vue';
import { driverSearchEndpoints } from '../../../server/contract/driver.ts';
import type { ModbusProbe, ModbusProbed } from '../../../server/contract/drivers/modbus.ts';
import { isAborted } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';

interface UnitRange {
  host: string;
  port: number;
  from: number;
  to: number;
}

export interface UnitSearch {
  /** The unit being asked; null when none is. */
  asking: ShallowRef<number | null>;
  found: ShallowRef<readonly ModbusProbed[]>;
  /** How the search ended; null before and during it. */
  end: ShallowRef<'done' | 'stopped' | 'unreachable' | null>;
  error: ShallowRef<unknown>;
  begin: (range: UnitRange) => Promise<void>;
  stop: () => void;
}

/** Asks the units behind an address one by one, until all are done, nothing answers there, or it is stopped. */
export function useUnitSearch(): UnitSearch {
  const call = useCall();
  const asking = shallowRef<number | null>(null);
  const found = shallowRef<readonly ModbusProbed[]>([]);
  const end = shallowRef<'done' | 'stopped' | 'unreachable' | null>(null);
  const error = shallowRef<unknown>(null);
  let running: AbortController | undefined;

  async function search({ host, port, from, to }: UnitRange, signal: AbortSignal): Promise<'done' | 'unreachable'> {
    for (let unit_id = from; unit_id <= to; unit_id += 1) {
      asking.value = unit_id;
      const body: ModbusProbe = { host, port, unit_id };
      const answer = await call(driverSearchEndpoints.modbus, { body, signal });
      if (answer.found === 'unreachable') return 'unreachable';
      if (answer.found === 'answers') found.value = [...found.value, answer];
    }
    return 'done';
  }

  async function begin(range: UnitRange): Promise<void> {
    running?.abort();
    const mine = (running = new AbortController());
    found.value = [];
    end.value = null;
    error.value = null;
    try {
      const ended = await search(range, mine.signal);
      if (mine === running) end.value = ended;
    } catch (thrown) {
      if (mine !== running) return;
      end.value = 'stopped';
      if (!isAborted(thrown)) error.value = thrown;
    }
    if (mine === running) asking.value = null;
  }

  onScopeDispose(() => running?.abort());
  return { asking, found, end, error, begin, stop: () => running?.abort() };
}
