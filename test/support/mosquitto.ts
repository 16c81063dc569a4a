import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { connectAsync, type IClientOptions, type MqttClient } from 'mqtt';
import { freePort } from './daemon-process.ts';
import { eventually } from './eventually.ts';
import { loopbackCertificate } from './loopback-certificate.ts';

const program = '/usr/sbin/mosquitto';

/**
 * Whether the broker of the Eclipse Foundation is installed. With REQUIRE_PEERS=1 a missing one is an error, else its
 * tests are skipped.
 */
export function hasMosquitto(): boolean {
  const found = spawnSync(program, ['-h']).error === undefined;
  if (!found && process.env.REQUIRE_PEERS === '1') throw new Error('the test peer mosquitto is not installed');
  return found;
}

export const login = { username: 'grower', password: 'correct horse' };

/** A mosquitto on loopback, by TLS and with a password, that can be killed and restarted. */
export class Mosquitto {
  readonly port: number;
  readonly ca: string;
  readonly #folder: string;
  #child: ChildProcess | undefined;

  private constructor(port: number, ca: string, folder: string) {
    this.port = port;
    this.ca = ca;
    this.#folder = folder;
  }

  static async start(): Promise<Mosquitto> {
    const folder = mkdtempSync(join(tmpdir(), 'orangery-mosquitto-'));
    const { key, cert, ca } = await loopbackCertificate();
    const file = (name: string): string => join(folder, name);
    writeFileSync(file('key.pem'), key, { mode: 0o600 });
    writeFileSync(file('cert.pem'), cert);
    const passwords = file('passwords');
    const kept = spawnSync('mosquitto_passwd', ['-b', '-c', passwords, login.username, login.password]);
    if (kept.status !== 0) throw new Error(`no password file: ${kept.stderr.toString()}`);
    const port = await freePort();
    const lines = [`listener ${port} 127.0.0.1`, `user ${userInfo().username}`, 'allow_anonymous false'];
    lines.push(`password_file ${passwords}`, `certfile ${file('cert.pem')}`, `keyfile ${file('key.pem')}`);
    writeFileSync(file('mosquitto.conf'), `${lines.join('\n')}\npersistence false\n`);
    const broker = new Mosquitto(port, ca, folder);
    await broker.takeUp();
    return broker;
  }

  /** Resolves when it accepts clients. */
  async takeUp(): Promise<void> {
    this.#child = spawn(program, ['-c', join(this.#folder, 'mosquitto.conf')], { stdio: 'ignore' });
    await eventually(async () => {
      if (this.#child?.exitCode != null) throw new Error(`mosquitto ended with ${this.#child.exitCode}`);
      const client = await this.client();
      await client.endAsync(true);
    });
  }

  /** A client of its own, with the log-in; it does not reconnect. */
  async client(options: IClientOptions = {}): Promise<MqttClient> {
    const client = await connectAsync(`mqtts://127.0.0.1:${this.port}`, {
      ...login,
      ca: this.ca,
      protocolVersion: 4,
      reconnectPeriod: 0,
      connectTimeout: 5_000,
      ...options,
    });
    client.on('error', () => undefined); // the broker is killed during its connection
    return client;
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
