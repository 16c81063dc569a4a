import type { Database, Statement } from 'better-sqlite3';

/** Methods that change how a statement answers, for all its later calls. */
const modes: readonly string[] = ['pluck', 'raw', 'expand', 'bind', 'safeIntegers'];

interface Opening {
  /** Opens read-only. */
  read: () => Database;
  /** Throws while the disk refuses writes. */
  write: () => Database;
}

interface Recovery {
  /** Throws while the disk refuses writes. */
  swap: () => void;
  listeners: (() => void)[];
}

const recoveries = new WeakMap<Database, Recovery>();

/**
 * A connection that is read-only because the disk refuses writes, until `recoverWriting` replaces it by a writing one.
 * Users of it or of its statements continue with the new one. Throws the error of opening it.
 */
export function recovering({ read, write }: Opening): Database {
  let current = read();
  const now = (): Database => current;
  // Both proxies answer only by `get`.
  const facade = new Proxy({} as Database, {
    get: (_, name) => {
      if (name === 'prepare') return (sql: string) => followed(now, sql);
      const value: unknown = Reflect.get(current, name, current);
      return typeof value === 'function' ? (value.bind(current) as unknown) : value;
    },
  });
  const swap = (): void => {
    const former = current;
    if (former.memory) {
      current = proven(write());
      former.close();
      return;
    }
    // Connections of one process share the index beside the file: while one has it for reading, none can write it.
    former.close();
    try {
      current = proven(write());
    } catch (error) {
      current = read();
      throw error;
    }
  };
  recoveries.set(facade, { swap, listeners: [] });
  return facade;
}

/** Checks whether the disk of a read-only connection now accepts writes. True if the connection writes. */
export function recoverWriting(db: Database): boolean {
  const recovery = recoveries.get(db);
  if (recovery === undefined) return true;
  try {
    recovery.swap();
  } catch {
    return false;
  }
  recoveries.delete(db);
  for (const listener of recovery.listeners) listener();
  return true;
}

/** Calls the listener once a connection that is read-only for want of a disk writes again. */
export function onceWriting(db: Database, listener: () => void): void {
  recoveries.get(db)?.listeners.push(listener);
}

/** Returns the connection once its disk has accepted a write. */
function proven(db: Database): Database {
  try {
    db.pragma(`user_version = ${Number(db.pragma('user_version', { simple: true }))}`);
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** A statement that is prepared again when its connection is replaced. */
function followed(now: () => Database, sql: string): Statement {
  let owner = now();
  let statement = owner.prepare(sql);
  const applied: ((to: Statement) => void)[] = [];
  const latest = (): Statement => {
    if (owner !== now()) {
      owner = now();
      statement = owner.prepare(sql);
      for (const apply of applied) apply(statement);
    }
    return statement;
  };
  const facade = new Proxy({} as Statement, {
    get: (_, name) => {
      const value: unknown = Reflect.get(latest(), name);
      if (typeof value !== 'function') return value;
      if (!modes.includes(String(name))) return value.bind(statement) as unknown;
      return (...given: unknown[]) => {
        const apply = (to: Statement): void => void Reflect.apply(value, to, given);
        apply(statement);
        applied.push(apply);
        return facade;
      };
    },
  });
  return facade;
}
