import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { lockHolder } from '../../../server/supervision/discovery.ts';
import { keepSecretFile } from '../../../server/db/secret-file.ts';
import {
  ForkLauncher,
  type DaemonLaunch,
  type DaemonLauncher,
  type DaemonProcess,
  type StopAsked,
} from '../../../server/supervision/launcher.ts';
import { DaemonSupervisor, type SupervisorOptions } from '../../../server/supervision/supervisor.ts';
import { OutputRepository } from '../../../server/db/repositories/output.ts';
import { configure, daemonSite, heaterId, simulatedOutput } from '../../support/daemon-site.ts';
import { controlOf, freePort, startDaemon, until } from '../../support/daemon-process.ts';
import { daemonProgram } from '../../support/programs.ts';
import { startModbusWitness } from '../../support/modbus-witness.ts';

const manifest = new URL('../../../package.json', import.meta.url);
const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }; // the project's own manifest

const supervisors: DaemonSupervisor[] = [];

afterEach(async () => {
  await Promise.all(supervisors.splice(0).map((supervisor) => supervisor.stop()));
});

/** A launcher whose last process the test can reach. */
class WatchedLauncher implements DaemonLauncher {
  readonly #launcher = new ForkLauncher(daemonProgram);
  readonly launched: DaemonProcess[] = [];

  launch(launch: DaemonLaunch): DaemonProcess {
    const process = this.#launcher.launch(launch);
    this.launched.push(process);
    return process;
  }

  get pid(): number {
    return this.launched.at(-1)?.pid ?? 0;
  }
}

function supervise(change: Partial<SupervisorOptions> & Pick<SupervisorOptions, 'dataDirectory'>) {
  const launcher = new WatchedLauncher();
  const warnings: string[] = [];
  const supervisor = new DaemonSupervisor({
    launcher,
    version,
    port: 0,
    linger_s: 0,
    token: keepSecretFile(join(change.dataDirectory, 'daemon.token')),
    log: { warn: (message) => void warnings.push(message) },
    ...change,
  });
  supervisors.push(supervisor);
  const portOf = (): number => Number(supervisor.uri.split(':').at(-1));
  return { launcher, portOf, supervisor, warnings };
}

describe('a daemon that dies', () => {
  it('by kill -9 is started again on the same port, its outputs safe', async () => {
    const { supervisor, launcher, portOf } = supervise({ dataDirectory: daemonSite() });
    await supervisor.start();
    const port = portOf();
    await controlOf(port).output_command({ output_id: heaterId, state: true });
    const states: string[] = [];
    supervisor.subscribe(({ state }) => void states.push(state));
    process.kill(launcher.pid, 'SIGKILL');
    await until(
      () => supervisor.supervision,
      ({ state, restarts }) => state === 'up' && restarts === 1,
    );
    expect(portOf()).toBe(port);
    expect(states).toEqual(['restarting', 'up']);
    expect(supervisor.supervision.last_restart?.reason).toBe('the daemon ended with a signal');
    expect(await controlOf(port).output_state(heaterId)).toBe('off');
  });

  it('in order is not started again', async () => {
    const { supervisor, launcher } = supervise({ dataDirectory: daemonSite() });
    await supervisor.start();
    process.kill(launcher.pid, 'SIGTERM');
    await until(
      () => supervisor.supervision.state,
      (state) => state === 'stopped',
    );
    expect(launcher.launched).toHaveLength(1);
    expect(supervisor.supervision).toMatchObject({ restarts: 0, is_stopped: true });
  });

  it('because a program told it to is started again when somebody asks for it', async () => {
    const { supervisor, launcher, portOf } = supervise({ dataDirectory: daemonSite() });
    await supervisor.start();
    const port = portOf();
    expect(await supervisor.startAgain()).toBe(false);
    await controlOf(port).terminate_daemon();
    await until(
      () => supervisor.supervision.is_stopped,
      (isStopped) => isStopped,
    );
    const [first, second] = await Promise.all([supervisor.startAgain(), supervisor.startAgain()]);
    expect([first, second]).toEqual([true, false]);
    expect(supervisor.supervision).toMatchObject({ state: 'up', is_stopped: false, restarts: 0 });
    expect(launcher.launched).toHaveLength(2);
    expect(portOf()).toBe(port);
    expect(await controlOf(port).output_state(heaterId)).toBe('off');
    process.kill(launcher.pid, 'SIGKILL');
    await until(
      () => supervisor.supervision,
      ({ state, restarts }) => state === 'up' && restarts === 1,
    );
  });

  it('by hanging is ended and started again', async () => {
    const { supervisor, launcher, warnings } = supervise({ dataDirectory: daemonSite() });
    await supervisor.start();
    process.kill(launcher.pid, 'SIGSTOP');
    const hungAt = performance.now();
    await until(
      () => supervisor.supervision.restarts,
      (restarts) => restarts === 1,
    );
    expect(performance.now() - hungAt).toBeGreaterThan(4_000);
    expect(warnings[0]).toBe('the daemon hung; it is started again');
    await until(
      () => supervisor.supervision.state,
      (state) => state === 'up',
    );
  });
});

describe('a daemon that runs already', () => {
  it('is adopted by the next supervisor, and stopped by its orderly stop', async () => {
    const dataDirectory = daemonSite();
    const first = startDaemon({ dataDirectory, linger_s: null });
    const port = await first.ready;
    await controlOf(port).output_command({ output_id: heaterId, state: true });
    first.child.disconnect();
    const { supervisor, launcher } = supervise({ dataDirectory, port });
    await supervisor.start();
    expect(supervisor.supervision).toMatchObject({ state: 'up', adopted: true, restarts: 0 });
    expect(launcher.launched).toEqual([]);
    expect(await controlOf(port).output_state(heaterId)).toBe('on');
    await supervisor.stop();
    expect(await first.ended).toEqual([0, null]);
  });

  it('is adopted although programs have taken every place of its own', async () => {
    const dataDirectory = daemonSite();
    const port = await startDaemon({ dataDirectory, linger_s: null }).ready;
    const programs = Array.from({ length: 70 }, () => controlOf(port));
    const bound = await Promise.allSettled(programs.map((program) => program.daemon_status()));
    expect(bound.filter(({ status }) => status === 'fulfilled')).toHaveLength(64);
    const { supervisor, launcher } = supervise({ dataDirectory, port });
    await supervisor.start();
    expect(supervisor.supervision).toMatchObject({ state: 'up', adopted: true });
    expect(launcher.launched).toEqual([]);
    expect((await supervisor.connect().emergency_stop()).active).toBe(true);
  });

  it('is replaced when it takes connections and answers none', async () => {
    const dataDirectory = daemonSite();
    const first = startDaemon({ dataDirectory, linger_s: null });
    const port = await first.ready;
    first.child.kill('SIGSTOP');
    const { supervisor, launcher, warnings } = supervise({ dataDirectory, port, times: { portWaitMs: 1_000 } });
    await supervisor.start();
    expect(warnings).toEqual(['the daemon hung; it is started again']);
    expect(await first.ended).toEqual([null, 'SIGKILL']);
    expect((await controlOf(port).daemon_status()).pid).toBe(launcher.pid);
  });

  it('is replaced when it is of another version', async () => {
    const dataDirectory = daemonSite();
    const first = startDaemon({ dataDirectory, linger_s: null });
    const port = await first.ready;
    const { supervisor, launcher } = supervise({ dataDirectory, port, version: '99.0.0' });
    await supervisor.start();
    expect(await first.ended).toEqual([0, null]);
    expect(launcher.launched).toHaveLength(1);
    expect((await controlOf(port).daemon_status()).pid).toBe(launcher.pid);
  });

  it.each([
    ['and lets any program of this machine in', undefined],
    ['and lets in those with a secret', 'leek'],
  ])('is replaced in order when it knows another token %s', async (_, secret) => {
    const dataDirectory = daemonSite();
    if (secret !== undefined) writeFileSync(join(dataDirectory, 'remote.loopback_secret'), secret);
    const first = startDaemon({ dataDirectory, linger_s: null });
    const port = await first.ready;
    rmSync(join(dataDirectory, 'daemon.token'));
    const { supervisor, launcher, warnings } = supervise({ dataDirectory, port });
    await supervisor.start();
    expect(warnings).toEqual(['the daemon knows another token; it is replaced']);
    expect(await first.ended).toEqual([0, null]);
    const { pid, is_service } = await supervisor.connect().daemon_status();
    expect([pid, is_service]).toEqual([launcher.pid, true]);
  });

  it('is started anew when it dies after its adoption', async () => {
    const dataDirectory = daemonSite();
    const first = startDaemon({ dataDirectory, linger_s: null });
    const port = await first.ready;
    const { supervisor, launcher } = supervise({ dataDirectory, port, times: { hungMs: 1_500 } });
    await supervisor.start();
    first.child.kill('SIGKILL');
    await until(
      () => supervisor.supervision,
      ({ state, restarts }) => state === 'up' && restarts === 1,
    );
    expect((await controlOf(port).daemon_status()).pid).toBe(launcher.pid);
    expect(supervisor.supervision.adopted).toBe(false);
  });

  it('is not started again when it is told to stop after its adoption', async () => {
    const dataDirectory = daemonSite();
    const first = startDaemon({ dataDirectory, linger_s: null });
    const port = await first.ready;
    const { supervisor, launcher } = supervise({ dataDirectory, port });
    await supervisor.start();
    await controlOf(port).terminate_daemon();
    await until(
      () => supervisor.supervision.state,
      (state) => state === 'stopped',
    );
    expect(launcher.launched).toEqual([]);
    expect(supervisor.supervision.restarts).toBe(0);
  });

  it('by hanging after its adoption is ended and started again', async () => {
    const dataDirectory = daemonSite();
    const first = startDaemon({ dataDirectory, linger_s: null });
    const port = await first.ready;
    const { supervisor, launcher } = supervise({ dataDirectory, port, times: { hungMs: 1_500 } });
    await supervisor.start();
    first.child.kill('SIGSTOP');
    await until(
      () => supervisor.supervision,
      ({ state, restarts }) => state === 'up' && restarts === 1,
    );
    expect(supervisor.supervision.last_restart?.reason).toBe('the daemon hung');
    expect(await first.ended).toEqual([null, 'SIGKILL']);
    expect((await controlOf(port).daemon_status()).pid).toBe(launcher.pid);
  });

  it('of another data directory is not touched: the port is taken', async () => {
    const other = startDaemon({ dataDirectory: daemonSite(), linger_s: null });
    const port = await other.ready;
    const { supervisor } = supervise({ dataDirectory: daemonSite(), port, times: { portWaitMs: 300 } });
    await expect(supervisor.start()).rejects.toMatchObject({ code: 'daemon_port_taken' });
    expect(await controlOf(port).check_daemon()).toBe('GOOD');
  });
});

/** A daemon that says it is ready and ends at once, so many times; the one after those stays. */
class EndingLauncher implements DaemonLauncher {
  launches = 0;
  /** What each was told of a crash loop, and how long it is to stay safe. */
  readonly loops: (string | undefined)[] = [];
  readonly safe_s: (number | undefined)[] = [];
  readonly #ends: number;

  constructor(ends: number) {
    this.#ends = ends;
  }

  launch({ crash_loop, safe_s }: DaemonLaunch): DaemonProcess {
    this.launches += 1;
    this.loops.push(crash_loop);
    this.safe_s.push(safe_s);
    const exits: ((code: number | null) => void)[] = [];
    const end = (code: number): void => exits.forEach((run) => run(code));
    if (this.launches <= this.#ends) setTimeout(() => end(1), 10);
    return {
      pid: undefined,
      onMessage: (run) => void setImmediate(() => run({ kind: 'ready', port: 1 })),
      onExit: (run) => void exits.push(run),
      terminate: () => end(0),
      kill: () => end(1),
      detach: () => undefined,
    };
  }
}

describe('a daemon that keeps crashing', () => {
  it('is told once as a crash loop, kept safe for longer and longer, and told again when it has run well', async () => {
    const told: (string | null)[] = [];
    const launcher = new EndingLauncher(4);
    const { supervisor } = supervise({
      dataDirectory: daemonSite(),
      launcher,
      times: { stableMs: 500 },
      crashLoop: (reason) => void told.push(reason),
    });
    await supervisor.start();
    await until(
      () => supervisor.supervision,
      ({ restarts, crash_loop }) => restarts === 4 && !crash_loop,
    );
    expect(launcher.safe_s).toEqual([undefined, undefined, 0.2, 0.4, 0.8]);
    expect(told).toEqual(['the daemon ended with code 1', null]);
    expect(supervisor.supervision.state).toBe('up');
    expect(launcher.launches).toBe(5);
    const reason = 'the daemon ended with code 1';
    expect(launcher.loops).toEqual([undefined, undefined, undefined, reason, reason]);
  });
});

/** A daemon that drives a real coil. */
async function superviseHeater(change: Partial<SupervisorOptions> = {}) {
  const witness = await startModbusWitness();
  const dataDirectory = daemonSite();
  configure(dataDirectory, (database) =>
    new OutputRepository(database).update({
      ...simulatedOutput(heaterId, 'heater'),
      driver: 'modbus',
      options: { host: '127.0.0.1', port: witness.port, registers: [{ channel: 0, table: 'coil', address: 1 }] },
    }),
  );
  const supervised = supervise({ dataDirectory, ...change });
  await supervised.supervisor.start();
  return { witness, dataDirectory, ...supervised };
}

const kills = process.env['TEST_SCALE'] === 'long' ? 8 : 4;

it(`${kills} kills in a row leave an actuator on for no longer than one`, { timeout: 120_000 }, async () => {
  const { witness, supervisor, launcher, portOf } = await superviseHeater();
  const override_until = new Date(Date.now() + 3_600_000).toISOString();
  for (let kill = 1; kill <= kills; kill += 1) {
    await controlOf(portOf()).output_command({ output_id: heaterId, state: true, override_until });
    expect(witness.coil(1)).toBe(true);
    const mark = witness.mark();
    process.kill(launcher.pid, 'SIGKILL');
    await until(
      () => witness.moves(1, mark), // its override may bring it back at once
      ([first]) => first === false,
      15, // 2 s where the machine does nothing else
    );
    await until(
      () => supervisor.supervision,
      ({ state, restarts }) => state === 'up' && restarts === kill,
      45,
    );
    await until(
      () => witness.moves(1, mark).join(),
      (moves) => moves === 'false,true', // the override, after the time of being safe
    );
  }
});

it('a stop that is owed holds before the next daemon drives anything, and over its end', async () => {
  let owed: StopAsked | undefined = { actor: 'kim', reason: '--smoke\0west' };
  const { witness, supervisor, launcher, portOf } = await superviseHeater({ owedStop: () => owed });
  await controlOf(portOf()).emergency_stop_release();
  const override_until = new Date(Date.now() + 3_600_000).toISOString();
  await controlOf(portOf()).output_command({ output_id: heaterId, state: true, override_until });
  const mark = witness.mark();
  for (const restarted of [1, 2]) {
    process.kill(launcher.pid, 'SIGKILL');
    await until(
      () => supervisor.supervision,
      ({ state, restarts }) => state === 'up' && restarts === restarted,
      45,
    );
    expect(await controlOf(portOf()).emergency_stop_get()).toMatchObject({
      active: true,
      by: 'kim',
      reason: '--smoke west',
    });
    owed = undefined;
  }
  await until(
    () => witness.moves(1, mark).join(),
    (moves) => moves === 'false',
  );
  await controlOf(portOf()).emergency_stop_release();
  await controlOf(portOf()).output_command({ output_id: heaterId, state: true });
  expect(witness.moves(1, mark)).toEqual([false, true]);
});

describe('a start', () => {
  it('says that another program has the port, after it has waited for it', async () => {
    const port = await freePort();
    const foreign = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')).listen(port, '127.0.0.1');
    await once(foreign, 'listening');
    const { supervisor } = supervise({ dataDirectory: daemonSite(), port, times: { portWaitMs: 1_000 } });
    const startedAt = performance.now();
    await expect(supervisor.start()).rejects.toThrow(`daemon port ${port} is taken by another program`);
    expect(performance.now() - startedAt).toBeGreaterThan(900);
    foreign.close();
  });

  it('fails when the daemon does', async () => {
    const dataDirectory = daemonSite();
    await startDaemon({ dataDirectory }).ready;
    const { supervisor } = supervise({ dataDirectory });
    await expect(supervisor.start()).rejects.toMatchObject({ code: 'daemon_failed' });
  });
});

it.each(['hangs', 'is dead', 'is being started again'])(
  'ends with the outputs safe when the daemon %s',
  async (fault) => {
    const { witness, dataDirectory, supervisor, launcher, portOf } = await superviseHeater();
    await controlOf(portOf()).output_command({ output_id: heaterId, state: true });
    expect(witness.coil(1)).toBe(true);
    process.kill(launcher.pid, fault === 'hangs' ? 'SIGSTOP' : 'SIGKILL');
    if (fault === 'is being started again') await expect.poll(() => launcher.launched, { interval: 5 }).toHaveLength(2);
    await supervisor.stop();
    expect(witness.coil(1)).toBe(false);
    expect(lockHolder(dataDirectory)).toBeNull();
  },
);

it('ends with the outputs safe when a daemon that it adopted is dead', async () => {
  const { witness, dataDirectory, supervisor, launcher, portOf } = await superviseHeater();
  await controlOf(portOf()).output_command({ output_id: heaterId, state: true });
  const { supervisor: next } = supervise({ dataDirectory, port: portOf() });
  await next.start();
  process.kill(launcher.pid, 'SIGKILL');
  await next.stop();
  await supervisor.stop();
  expect(witness.coil(1)).toBe(false);
});

it('stops the daemon in order, and its data directory is free', async () => {
  const dataDirectory = daemonSite();
  const { supervisor, launcher } = supervise({ dataDirectory });
  await supervisor.start();
  expect(lockHolder(dataDirectory)).toBe(launcher.pid);
  await supervisor.stop();
  expect(lockHolder(dataDirectory)).toBeNull();
  expect(supervisor.supervision).toMatchObject({ state: 'stopped', restarts: 0 });
});
