import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { onTestFinished } from 'vitest';

const program = '/usr/bin/mapserv';

/** Whether MapServer is installed. With REQUIRE_PEERS=1 a missing one is an error, else its tests are skipped. */
export function hasMapServer(): boolean {
  const found = spawnSync(program, ['-v']).error === undefined;
  if (!found && process.env.REQUIRE_PEERS === '1') throw new Error('the test peer mapserver-bin is not installed');
  return found;
}

/** MapServer behind a web server on loopback, one process per request (RFC 3875); returns http://127.0.0.1:PORT. */
export async function startMapServer(mapFile: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'orangery-mapserver-'));
  const file = (name: string): string => join(folder, name);
  writeFileSync(file('farm.map'), mapFile);
  writeFileSync(file('mapserver.conf'), 'CONFIG ENV MS_MAP_PATTERN "." END END');
  const environment = { MAPSERVER_CONFIG_FILE: file('mapserver.conf'), MS_MAPFILE: file('farm.map') };
  const server = createServer((request, response) => {
    const QUERY_STRING = new URL(request.url ?? '/', 'http://localhost').search.slice(1);
    const child = spawn(program, { env: { ...environment, QUERY_STRING, REQUEST_METHOD: 'GET' } });
    void buffer(child.stdout).then((answer) => {
      const end = answer.indexOf('\r\n\r\n');
      const type = /^Content-Type: (.+)$/im.exec(answer.toString('latin1', 0, end))?.[1]?.trim();
      response.writeHead(200, { 'content-type': type }).end(answer.subarray(end + 4));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on TCP
}
