/** A gateway, broker or bus by which devices are reached, and without which none of them is. */
export interface Connection {
  /** Names it among the sources of alarms. */
  id: string;
  /** As people know it: its address. */
  name: string;
}

/** Connections with one driver and address are the same; of the longest addresses the beginning tells. */
export function connectionOf(driver: string, address: string): Connection {
  const name = address.slice(0, 200);
  return { id: `${driver} ${name}`, name };
}
