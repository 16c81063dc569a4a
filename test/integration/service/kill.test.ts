import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Alarm } from '../../../server/contract/alarm.ts';
import type { DaemonView } from '../../../server/contract/daemon.ts';
import type { Input } from '../../../server/contract/input.ts';
import type { LastValue } from '../../../server/contract/measurement.ts';
import type { Output } from '../../../server/contract/output.ts';
import { canMount, smallDisk } from '../../support/small-disk.ts';
import { openDatabase } from '../../../server/db/open.ts';
import { freePort, until } from '../../support/daemon-process.ts';
import { LanClient } from '../../support/lan-client.ts';
import { startModbusWitness, type ModbusWitness } from '../../support/modbus-witness.ts';
import { addAccount } from '../../support/service-accounts.ts';
import {
  dataFolder,
  killHard,
  launchService,
  processesOf,
  type ServiceProcess,
} from '../../support/service-process.ts';

const kills = process.env['TEST_SCALE'] === 'long' ? 200 : 8;
/** Coils of the device. */
const heater = 0;
const vent = 1;
const pump = 2;

type Victim = 'daemon' | 'server' | 'both';

interface Strike {
  victim: Victim;
  delay_ms: number;
}

/** Three of five are the daemon alone: it is the one that moves things. */
const strike: fc.Arbitrary<Strike> = fc.record({
  victim: fc.constantFrom<Victim>('daemon', 'daemon', 'daemon', 'server', 'both'),
  delay_ms: fc.integer({ min: 0, max: 250 }),
});

/** A running site under load, and what it acknowledged. */
class Site {
  readonly dataDirectory: string;
  readonly witness: ModbusWitness;
  readonly outputs: string[] = [];
  readonly samples: LastValue[] = [];
  /** What the heater may be commanded to: the last acknowledged command, and one whose answer did not come. */
  heaterMay: boolean[] = [false];
  #sensor = '';
  #port = 0;
  #key = '';
  #service: ServiceProcess | undefined;
  #client: LanClient | undefined;
  #isUnderLoad = false;

  constructor(witness: ModbusWitness, dataDirectory = dataFolder()) {
    this.witness = witness;
    this.dataDirectory = dataDirectory;
  }

  get client(): LanClient {
    if (this.#client === undefined) throw new Error('not started');
    return this.#client;
  }

  async make(): Promise<void> {
    this.#key = await addAccount(this.dataDirectory);
    this.#port = await freePort();
    await this.start();
    const safe = ['off', 'on', 'off'] as const;
    for (const [address, safe_state] of safe.entries()) {
      const channels = [{ channel: 0, safe_state, min_off_s: address === pump ? 3_600 : 0 }];
      const sent = { name: `coil ${address}`, driver: 'modbus', options: this.#modbus('coil', address), channels };
      this.outputs.push(((await this.#made('/api/settings/outputs', sent)) as Output).unique_id); // by its contract
    }
    const input = { name: 'counter', driver: 'modbus', options: this.#modbus('holding', 0), period_s: 86_400 };
    const channels = [{ channel: 0, measurement: 'temperature' }];
    this.#sensor = ((await this.#made('/api/settings/inputs', { ...input, channels })) as Input).unique_id; // by its contract
    for (const state of [true, false]) expect(await this.command(pump, { state })).toBe(200);
  }

  async start(): Promise<void> {
    const env = { ORANGERY_DAEMON_PORT: String(this.#port), ORANGERY_LOG_LEVEL: 'silent' };
    const service = launchService({ dataDirectory: this.dataDirectory, env });
    this.#service = service;
    this.#client = new LanClient({ url: await service.ready(), dataDirectory: this.dataDirectory, key: this.#key });
  }

  async command(address: number, body: object): Promise<number> {
    return (await this.client.post(`/api/outputs/${this.outputs[address] ?? ''}`, body)).status;
  }

  daemonPid(): number {
    const [pid = 0] = processesOf(this.dataDirectory);
    return pid;
  }

  /** Commands and readings without a pause until they fail. */
  load(): Promise<unknown> {
    this.#isUnderLoad = true;
    const forever = async (work: () => Promise<unknown>): Promise<void> => {
      while (this.#isUnderLoad) await work();
    };
    return Promise.allSettled([forever(() => this.#toggleHeater()), forever(() => this.takeSample())]);
  }

  async strike(victim: Victim): Promise<void> {
    this.#isUnderLoad = false;
    const daemon = this.daemonPid();
    if (victim !== 'daemon') {
      this.#service?.child.kill('SIGKILL');
      this.client.close();
    }
    if (victim !== 'server') killHard(daemon);
    await (victim === 'daemon' ? undefined : this.#service?.ended);
  }

  async recover(victim: Victim, before: number): Promise<void> {
    if (victim !== 'daemon') return this.start();
    await until(
      async () => (await this.client.get('/api/daemon')).body as DaemonView, // by its contract
      ({ state, restarts }) => state === 'up' && restarts > before,
    );
  }

  async restarts(): Promise<number> {
    return ((await this.client.get('/api/daemon')).body as DaemonView).restarts; // by its contract
  }

  async end(): Promise<void> {
    this.client.close();
    this.#service?.child.kill('SIGTERM');
    await this.#service?.ended;
  }

  /** One that is not answered may have been carried out or not. */
  async #toggleHeater(): Promise<void> {
    const last = this.heaterMay[0] ?? false;
    this.heaterMay = [last, !last];
    const override_until = new Date(Date.now() + 3_600_000).toISOString();
    if ((await this.command(heater, { state: !last, override_until })) === 200) this.heaterMay = [!last];
  }

  /**
   * Has the heater stay as it is, and waits until the disk knows: before that a command is kept by the daemon alone.
   */
  async keepHeater(state: boolean): Promise<void> {
    const overrideUntilMs = Date.now() + 7_200_000;
    expect(await this.command(heater, { state, override_until: new Date(overrideUntilMs).toISOString() })).toBe(200);
    const [output_id = ''] = this.outputs;
    await expect.poll(() => overrideEnd(this.dataDirectory, output_id)).toBe(overrideUntilMs);
    this.heaterMay = [state];
  }

  /** The status of its answer. */
  async takeSample(): Promise<number> {
    const { status, body } = await this.client.post(`/api/inputs/${this.#sensor}/force_measurement`, {});
    if (status === 200) this.samples.push(...(body as { readings: LastValue[] }).readings); // by its contract
    return status;
  }

  #modbus(table: 'coil' | 'holding', address: number): object {
    return { host: '127.0.0.1', port: this.witness.port, registers: [{ channel: 0, table, address }] };
  }

  async #made(path: string, sent: object): Promise<unknown> {
    const { status, body } = await this.client.post(path, sent);
    expect(status, JSON.stringify(body)).toBe(201);
    return body;
  }
}

/** As control.db has it; undefined without an override. */
function overrideEnd(dataDirectory: string, outputId: string): number | null | undefined {
  const db = openDatabase(join(dataDirectory, 'control.db'), { readonly: true });
  const read = db.prepare<[string], { ends_ms: number | null }>(
    'SELECT override_until_ms AS ends_ms FROM output_channels WHERE output_id = ?',
  );
  const row = read.get(outputId);
  db.close();
  return row?.ends_ms;
}

function storedSamples(dataDirectory: string): Set<string> {
  const db = openDatabase(join(dataDirectory, 'measurements.db'), { readonly: true });
  const rows = db.prepare<[], { time_ms: number; value: number }>('SELECT time_ms, value FROM sample').all();
  db.close();
  return new Set(rows.map(({ time_ms, value }) => `${time_ms} ${value}`));
}

it(
  `${kills} kills of a running site lose nothing that was acknowledged and leave every output safe`,
  { timeout: 60_000 + kills * 15_000 },
  async () => {
    const site = new Site(await startModbusWitness());
    const { witness } = site;
    await site.make();
    const seed = Date.now() % 1_000_000;
    for (const [round, drawn] of fc.sample(strike, { numRuns: kills, seed }).entries()) {
      // A new server now and then: from a daemon that dies again and again the same one waits longer each time.
      const { victim, delay_ms }: Strike = round % 5 === 4 ? { ...drawn, victim: 'both' } : drawn;
      const told = `seed ${seed}, round ${round}: ${victim} after ${delay_ms} ms`;
      expect(await site.command(vent, { state: false }), told).toBe(200);
      await expect.poll(() => site.takeSample(), { message: told }).toBe(200);
      const restarts = await site.restarts();
      const hungUp = witness.hungUp();
      const load = site.load();
      await new Promise((resolve) => setTimeout(resolve, delay_ms));
      await site.strike(victim);
      // What was on its way when the daemon died arrives before its connection is closed.
      const mark = victim === 'server' ? witness.mark() : await hungUp;
      await load;
      await site.recover(victim, restarts);

      const isLost = victim !== 'server';
      await expect.poll(() => witness.coil(vent), { message: told }).toBe(isLost);
      await expect.poll(() => site.heaterMay, { message: told }).toContain(witness.coil(heater));
      expect(await site.command(pump, { state: true }), told).toBe(409);
      expect(witness.coil(pump), told).toBe(false);
      // To its safe state and back to its override at most; nothing is moved there and back again.
      expect(witness.moves(vent, mark), told).toEqual(isLost ? [true] : []);
      expect(witness.moves(heater, mark).length, told).toBeLessThanOrEqual(isLost ? 2 : 1);
      expect(witness.moves(pump, mark), told).toEqual([]);
      site.heaterMay = [witness.coil(heater)];
    }
    await site.end();
    const stored = storedSamples(site.dataDirectory);
    const lost = site.samples.filter(({ time_ms, value }) => !stored.has(`${time_ms} ${value}`));
    expect(site.samples.length).toBeGreaterThanOrEqual(kills);
    expect(lost).toEqual([]);
  },
);

/** Of rounds with a disk that is full while the victim dies; every other round finds it free. */
const fullKills = Math.max(4, kills / 5);
/** Ends what hangs: a new server on a loaded machine may take this long before it looks after anything. */
const waitMs = 60_000;

it.skipIf(!canMount)(
  `${fullKills} kills, every other on a full disk, leave every output safe and the site as it was commanded`,
  { timeout: 120_000 + fullKills * 60_000 },
  async () => {
    const disk = smallDisk(64);
    const site = new Site(await startModbusWitness(), disk.folder);
    const { witness } = site;
    await site.make();
    const seed = Date.now() % 1_000_000;
    for (const [round, { victim: drawn, delay_ms }] of fc.sample(strike, { numRuns: fullKills, seed }).entries()) {
      // A new server now and then, as above.
      const victim = drawn === 'server' || round % 5 === 4 ? 'both' : drawn;
      const isFull = round % 2 === 0;
      const told = `seed ${seed}, round ${round}: ${victim} after ${delay_ms} ms${isFull ? ', disk full' : ''}`;
      expect(await site.command(vent, { state: false }), told).toBe(200);
      await expect.poll(() => site.takeSample(), { message: told }).toBe(200);
      const restarts = await site.restarts();
      const hungUp = witness.hungUp();
      if (isFull) disk.fill();
      const load = site.load();
      await new Promise((resolve) => setTimeout(resolve, delay_ms));
      await site.strike(victim);
      const mark = await hungUp;
      await load;
      // The service is asked for nothing: the safe state does not wait for it, nor for room on the disk.
      const recovered = site.recover(victim, restarts);
      await expect.poll(() => witness.coil(vent), { timeout: waitMs, message: told }).toBe(true);
      await recovered;
      expect(witness.moves(vent, mark), told).toEqual([true]);
      expect(witness.moves(pump, mark), told).toEqual([]);
      expect(witness.moves(heater, mark).length, told).toBeLessThanOrEqual(2);
      // An override that could not be written may be gone with its daemon: then the heater is safe.
      const heaterMay = isFull ? [...site.heaterMay, false] : site.heaterMay;
      await expect.poll(() => heaterMay, { timeout: waitMs, message: told }).toContain(witness.coil(heater));
      disk.free();
      await site.keepHeater(witness.coil(heater));
      await until(
        async () => (await site.client.get('/api/alarms')).body as { alarms: Alarm[] }, // by its contract
        ({ alarms }) => !alarms.some(({ code, is_raised }) => code === 'store_failed' && is_raised),
        30,
      );
    }
    await site.end();
  },
);
