/** A gateway, broker or bus by which devices are reached, and without which none of them is. */
export interface Connection {
  /** Names it among the sources of alarms. */
  id: string;
  /** As people know it: its address. */
  name: string;
}

/** Connections with one driver and address are the same. */
export function connectionOf(driver: string, name: string): Connection {
  return { id: `${driver} ${name}`, name };
}
