import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DaemonControl, type DaemonControlOptions } from '../../../server/orangery_client.ts';
import { openCertificates } from '../../../server/tls/certificates.ts';
import { daemonSite, heaterId } from '../../support/daemon-site.ts';
import { freePort, startDaemon } from '../../support/daemon-process.ts';

function connect(port: number, options: DaemonControlOptions = {}): DaemonControl {
  const control = new DaemonControl({ pyro_uri: `PYRO:orangery.pyro_server@127.0.0.1:${port}`, ...options });
  onTestFinished(() => control.close());
  return control;
}

const line = (directory: string, file: string): string => readFileSync(join(directory, file), 'utf8').trim();
const on = { output_id: heaterId, state: true };

it('only the service may say who asks; any other program is what it is', async () => {
  const dataDirectory = daemonSite();
  const port = await startDaemon({ dataDirectory }).ready;
  expect(statSync(join(dataDirectory, 'daemon.token')).mode & 0o777).toBe(0o600);
  const outside = connect(port);
  await expect(outside.output_command({ ...on, actor: 'grower' })).rejects.toMatchObject({ code: 'invalid_argument' });
  expect((await outside.output_command(on)).state.actor).toBe('pyro');
  const service = connect(port, { pyro_handshake: line(dataDirectory, 'daemon.token') });
  expect((await service.output_command({ ...on, actor: 'grower' })).state.actor).toBe('grower');
});

it('with a loopback secret other programs need it, and the service does not', async () => {
  const dataDirectory = daemonSite();
  writeFileSync(join(dataDirectory, 'remote.loopback_secret'), 'leek\n');
  const port = await startDaemon({ dataDirectory }).ready;
  await expect(connect(port).daemon_status()).rejects.toMatchObject({ code: 'handshake_refused' });
  const open = [
    connect(port, { pyro_handshake: 'leek' }),
    connect(port, { pyro_handshake: line(dataDirectory, 'daemon.token') }),
  ];
  for (const control of open) expect((await control.daemon_status()).version).toMatch(/^\d/);
});

it.each(['', '\n'])('an empty loopback secret (%j) lets nobody in but the service', async (text) => {
  const dataDirectory = daemonSite();
  writeFileSync(join(dataDirectory, 'remote.loopback_secret'), text);
  const port = await startDaemon({ dataDirectory }).ready;
  for (const options of [{}, { pyro_handshake: '' }, { pyro_handshake: 'hello' }]) {
    await expect(connect(port, options).daemon_status()).rejects.toMatchObject({ code: 'handshake_refused' });
  }
  const service = connect(port, { pyro_handshake: line(dataDirectory, 'daemon.token') });
  expect((await service.daemon_status()).is_service).toBe(true);
});

it('starts with an empty token, and says to whom it is not the service', async () => {
  const dataDirectory = daemonSite();
  writeFileSync(join(dataDirectory, 'daemon.token'), '');
  const port = await startDaemon({ dataDirectory }).ready;
  expect((await connect(port).daemon_status()).is_service).toBe(false);
  const service = connect(port, { pyro_handshake: line(dataDirectory, 'daemon.token') });
  expect((await service.daemon_status()).is_service).toBe(true);
});

it('other machines need TLS and the secret, and cannot end it or change what it drives', async () => {
  const dataDirectory = daemonSite();
  const { ca_pem } = await openCertificates({
    directory: join(dataDirectory, 'tls'),
    hostName: 'greenhouse',
    addresses: () => ['127.0.0.1'],
    extraNames: [],
    now: () => new Date(),
  });
  const daemonNetwork = { host: '127.0.0.1', port: await freePort() };
  const daemon = startDaemon({ dataDirectory, daemonNetwork });
  await daemon.ready;
  const { port } = daemonNetwork;
  const secret = line(dataDirectory, 'remote.secret');
  expect(statSync(join(dataDirectory, 'remote.secret')).mode & 0o777).toBe(0o600);

  const far = connect(port, { pyro_ca: ca_pem, pyro_handshake: secret });
  expect((await far.output_command(on)).state).toMatchObject({ state: 'on', actor: 'pyro' });
  const forbidden = [
    far.terminate_daemon(),
    far.output_setup('Modify', heaterId),
    far.module_function('Output', heaterId, 'calibrate', {}),
    far.output_command({ ...on, actor: 'grower' }),
  ];
  const codes = await Promise.all(
    forbidden.map((call) =>
      call.then(
        () => 'done',
        (error: unknown) => (error as { code: string }).code,
      ),
    ),
  ); // a RemoteError
  expect(codes).toEqual(['not_found', 'not_found', 'not_found', 'invalid_argument']);
  expect((await far.output_command({ ...on, state: false })).outcome).toBe('confirmed');
  for (const pyro_handshake of ['hello', line(dataDirectory, 'daemon.token')]) {
    await expect(connect(port, { pyro_ca: ca_pem, pyro_handshake }).daemon_status()).rejects.toMatchObject({
      code: 'handshake_refused',
    });
  }
  await expect(connect(port, { pyro_handshake: secret }).daemon_status()).rejects.toMatchObject({
    code: 'connection_failed',
  });
});

it('controls all the same when other machines cannot reach it', async () => {
  const dataDirectory = daemonSite();
  const daemon = startDaemon({ dataDirectory, daemonNetwork: { host: '127.0.0.1', port: 0 } });
  expect(await connect(await daemon.ready).output_state(heaterId)).toBe('off');
  expect(daemon.log()).toContain('other machines cannot reach the remote object');
});
