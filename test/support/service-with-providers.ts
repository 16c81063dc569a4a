import { existsSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { builtPages } from '../../server/built-pages.ts';
import { mapServiceIds } from '../../server/contract/map-service.ts';
import { dataDirectory } from '../../server/data-directory.ts';
import { readEnvironment } from '../../server/environment.ts';
import { openLog } from '../../server/log.ts';
import { startService } from '../../server/service.ts';
import { ForkLauncher } from '../../server/supervision/launcher.ts';
import { drawnProviders } from './drawn-providers.ts';
import { loopbackCertificate } from './loopback-certificate.ts';

/**
 * The service as `server/main.ts` starts it, with all outside services on loopback; it prints their address as
 * `providers URL` to standard error. While the file CUT_NETWORK exists (`cut-network.ts`) they are unreachable too.
 */
const { key, cert, ca } = await loopbackCertificate();
const cutFile = process.env.CUT_NETWORK ?? '';
const providers = createServer({ key, cert }, (request, response) => {
  if (cutFile !== '' && existsSync(cutFile)) request.socket.destroy();
  else drawnProviders(request, response);
});
providers.listen(0, '127.0.0.1');
await once(providers, 'listening');
const origin = `https://localhost:${(providers.address() as AddressInfo).port}`; // it listens on TCP
const ids = ['rainviewer', 'rainviewer_tiles', 'isric', 'openmeteo', 'openweather', 'openweather_tiles'] as const;

const environment = readEnvironment(process.env);
const directory = dataDirectory(environment.dataDirectory);
const service = await startService({
  ...environment,
  dataDirectory: directory,
  linger_s: null,
  launcher: new ForkLauncher(),
  log: openLog(environment.logLevel, { directory }),
  outside: {
    outbound: { allowLoopback: true, ca },
    origins: Object.fromEntries([...ids, ...mapServiceIds].map((id) => [id, origin])),
  },
  ...builtPages(),
});
process.once('SIGTERM', () => {
  void service.stop().then(() => process.exit(0));
});
process.stderr.write(`providers ${origin}\n`);
const token = service.setupToken();
if (token !== null) process.stdout.write(`setup token: ${token}\n`);
process.stdout.write(`ready ${service.url}\n`);
