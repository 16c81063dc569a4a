import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { daemonObjectId } from '../contract/daemon.ts';
import { readSecretFile } from '../db/secret-file.ts';
import { findDaemon, lockHolder } from './discovery.ts';
import type { DaemonLaunch, DaemonLauncher } from './launcher.ts';

const usualPatience_s = 60;
/** A daemon still running this long after its patience hangs. */
const hungMs = 10_000;

interface Left extends Pick<DaemonLaunch, 'dataDirectory' | 'port'> {
  launcher: DaemonLauncher;
  /** How long unresponsive devices are retried, s; default a minute. */
  patience_s?: number;
}

/**
 * For a service that cannot start: if a daemon has run here and none is alive, starts one that drives its outputs safe
 * and ends. Resolves when that is done, with false if not every output is safe. Never rejects.
 */
export async function driveSafe({
  dataDirectory,
  port,
  launcher,
  patience_s = usualPatience_s,
}: Left): Promise<boolean> {
  try {
    if (!existsSync(join(dataDirectory, 'daemon.lock')) || (await isInCare({ dataDirectory, port }))) return true;
    const process = launcher.launch({ dataDirectory, port: 0, linger_s: null, until_safe_s: patience_s });
    return await new Promise<boolean>((resolve) => {
      const hung = setTimeout(() => process.kill(), hungMs + 1_000 * patience_s);
      process.onExit((code) => {
        clearTimeout(hung);
        resolve(code === 0);
      });
    });
  } catch {
    return false;
  }
}

/** On a read-only disk there is no lock to hold, so the port decides. */
async function isInCare({ dataDirectory, port }: Pick<Left, 'dataDirectory' | 'port'>): Promise<boolean> {
  const holder = lockHolder(dataDirectory);
  if (typeof holder === 'number') return true;
  if (port === 0) return false;
  const token = readSecretFile(join(dataDirectory, 'daemon.token')) ?? '';
  const uri = `PYRO:${daemonObjectId}@127.0.0.1:${port}`;
  return (await findDaemon({ uri, token, dataDirectory })).kind === 'ours';
}
