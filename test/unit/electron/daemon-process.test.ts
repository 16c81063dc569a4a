import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { daemonEntry } from '../../../server/supervision/launcher.ts';
import { electron, resetElectron } from '../../support/fake-electron.ts';

vi.mock('electron', () => electron);
const { UtilityLauncher } = await import('../../../electron/daemon-process.ts');

class FakeChild extends EventEmitter {
  pid: number | undefined = 4711;
  kill = vi.fn<() => boolean>(() => true);
}

let child: FakeChild;

beforeEach(() => {
  resetElectron();
  child = new FakeChild();
  electron.utilityProcess.fork.mockReturnValue(child);
});

const launch = () => new UtilityLauncher().launch({ dataDirectory: '/data', port: 9080, linger_s: 0 });

describe('UtilityLauncher', () => {
  it('starts the daemon as every launcher does, without our standard output', () => {
    launch();
    expect(electron.utilityProcess.fork).toHaveBeenCalledExactlyOnceWith(
      daemonEntry(),
      ['--data', '/data', '--port', '9080', '--linger', '0'],
      expect.objectContaining({ stdio: ['ignore', 'ignore', 'inherit'] }),
    );
  });

  it('passes on what the daemon says and how it ends', () => {
    const daemon = launch();
    const onMessage = vi.fn<(message: unknown) => void>();
    const onExit = vi.fn<(code: number | null) => void>();
    daemon.onMessage(onMessage);
    daemon.onExit(onExit);
    child.emit('message', { kind: 'ready', port: 9080 });
    child.emit('message', { kind: 'heartbeat' });
    child.emit('exit', 3);
    expect(onMessage.mock.calls).toEqual([[{ kind: 'ready', port: 9080 }], [{ kind: 'heartbeat' }]]);
    expect(onExit.mock.calls).toEqual([[3]]);
  });

  it('asks for an orderly stop', () => {
    launch().terminate();
    expect(child.kill).toHaveBeenCalledExactlyOnceWith();
  });

  it('ends a process that does not listen', async () => {
    const hung = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)']);
    const ended = once(hung, 'exit');
    child.pid = hung.pid;
    launch().kill();
    expect(await ended).toEqual([null, 'SIGKILL']);
  });

  it('remembers the process of a daemon that has ended, and kills nobody for it', () => {
    const daemon = launch();
    child.pid = undefined; // as Electron does after the end
    expect(daemon.pid).toBe(4711);
    expect(() => daemon.kill()).not.toThrow();
  });
});
