import dns from 'node:dns';
import { appendFileSync, existsSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import net from 'node:net';

/**
 * Loaded into the service and its daemon (`--import`): while the file CUT_NETWORK exists, this machine reaches only
 * itself. Each attempt is written into that file, one per line.
 */
const file = process.env.CUT_NETWORK ?? '';

function refused(where: string, code: string): Error | null {
  const isOwn = ['localhost', '127.0.0.1', '::1', ''].includes(where);
  if (isOwn || file === '' || !existsSync(file)) return null;
  appendFileSync(file, `${where}\n`);
  return Object.assign(new Error(`no network: ${where}`), { code });
}

// eslint-disable-next-line @typescript-eslint/unbound-method -- called with its socket below
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (this: net.Socket, ...given: unknown[]) {
  const [options] = given.flat() as [{ host?: string } | undefined]; // the form in which net.connect passes it on
  const fault = refused(typeof options === 'object' ? (options.host ?? '') : '', 'ENETUNREACH');
  if (fault === null) return Reflect.apply(connect, this, given) as net.Socket;
  return this.destroy(fault);
};

const lookup = dns.promises.lookup;
dns.promises.lookup = (async (name: string, options: dns.LookupOptions) => {
  const fault = refused(name, 'EAI_AGAIN');
  if (fault !== null) throw fault;
  return lookup(name, options);
}) as typeof lookup;
syncBuiltinESMExports();
