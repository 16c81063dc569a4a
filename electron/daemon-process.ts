import { utilityProcess } from 'electron';
import type { DaemonMessage } from '../server/daemon/ipc.ts';
import {
  daemonArguments,
  daemonEntry,
  type DaemonLauncher,
  type DaemonProcess,
} from '../server/supervision/launcher.ts';

/** Starts the daemon as a utility process of Electron: it ends with this process, whatever its linger. */
export class UtilityLauncher implements DaemonLauncher {
  launch(launch: Parameters<DaemonLauncher['launch']>[0]): DaemonProcess {
    const child = utilityProcess.fork(daemonEntry(), daemonArguments(launch), {
      serviceName: 'Orangery daemon',
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const { pid } = child;
    return {
      get pid() {
        return child.pid ?? pid;
      },
      onMessage: (run) => void child.on('message', (message) => run(message as DaemonMessage)), // the daemon sends nothing else
      onExit: (run) => void child.once('exit', (code) => run(code)),
      terminate: () => void child.kill(),
      kill: () => {
        if (child.pid !== undefined) process.kill(child.pid, 'SIGKILL');
      },
      detach: () => undefined,
    };
  }
}
