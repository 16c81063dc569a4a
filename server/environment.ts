import { z } from 'zod';
import { daemonDefaultPort, daemonNetworkPort } from './contract/daemon.ts';

/** A port; 0 lets the system choose, as tests do. */
const port = z.string().regex(/^\d+$/).transform(Number).pipe(z.int().min(0).max(65_535));

const variables = z.object({
  ORANGERY_DATA_DIR: z.string().min(1).optional(),
  ORANGERY_HTTPS_PORT: port.optional(),
  ORANGERY_HOST: z.string().min(1).optional(),
  ORANGERY_DAEMON_PORT: port.optional(),
  ORANGERY_DAEMON_NETWORK_HOST: z.string().min(1).optional(),
  ORANGERY_DAEMON_NETWORK_PORT: port.optional(),
  ORANGERY_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).optional(),
  ORANGERY_TLS_NAMES: z.string().optional(),
});

/** The setup of a service, from the environment; `orangery serve` sets the same by its options. */
export interface Environment {
  dataDirectory: string | undefined;
  httpsPort: number;
  /** undefined: loopback until the first administrator exists, all addresses afterwards. */
  host: string | undefined;
  daemonPort: number;
  /** Where programs of other machines reach the daemon; undefined for this machine only. */
  daemonNetwork: { host: string; port: number } | undefined;
  logLevel: string;
  /** Further names and addresses that the certificate may hold. */
  tlsNames: string[];
}

/** A variable that cannot be used; the message names it. */
export class EnvironmentError extends Error {
  readonly code = 'invalid_environment';
}

/** Reads the ORANGERY_ variables. Throws EnvironmentError naming the first unusable one. */
export function readEnvironment(env: Record<string, string | undefined>): Environment {
  const { success, data, error } = variables.safeParse(env);
  if (!success) {
    const [issue] = error.issues;
    const name = String(issue?.path[0]);
    throw new EnvironmentError(`${name}=${env[name] ?? ''} cannot be used: ${issue?.message ?? 'invalid'}`);
  }
  const networkHost = data.ORANGERY_DAEMON_NETWORK_HOST;
  return {
    dataDirectory: data.ORANGERY_DATA_DIR,
    httpsPort: data.ORANGERY_HTTPS_PORT ?? 8443,
    host: data.ORANGERY_HOST,
    daemonPort: data.ORANGERY_DAEMON_PORT ?? daemonDefaultPort,
    daemonNetwork:
      networkHost === undefined
        ? undefined
        : { host: networkHost, port: data.ORANGERY_DAEMON_NETWORK_PORT ?? daemonNetworkPort },
    logLevel: data.ORANGERY_LOG_LEVEL ?? 'info',
    tlsNames: data.ORANGERY_TLS_NAMES?.split(/[\s,]+/).filter(Boolean) ?? [],
  };
}
