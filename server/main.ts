import { builtPages } from './built-pages.ts';
import { ForkLauncher } from './supervision/launcher.ts';
import { dataDirectory } from './data-directory.ts';
import { readEnvironment, type Environment } from './environment.ts';
import { openLog } from './log.ts';
import { startService, type Service } from './service.ts';

/**
 * A stop that takes longer ends the process where it stands. After a daemon that hung, another one drives the outputs
 * safe, which takes most of it.
 */
const stopMs = 10_000;

/**
 * Runs the service without a window until a signal ends it. Prints the two lines of a start; every failure is one line
 * and exit 1.
 */
export async function serve(environment: Environment = readEnvironmentOrExit()): Promise<void> {
  const asked = whenAskedToStop();
  // Restarts for a restore; the new start prints its own lines.
  const runAgain = async (): Promise<void> => {
    const again = Promise.withResolvers<'again'>();
    const service = await startOrExit(environment, () => again.resolve('again'));
    Promise.race([again.promise, asked])
      .then(async (why) => {
        await service.stop();
        if (why === 'again') await runAgain();
        else process.exit(0);
      })
      .catch(exitWith);
    const token = service.setupToken();
    if (token !== null) console.log(`setup token: ${token}`);
    console.log(`ready ${service.url}`);
  };
  await runAgain();
}

/**
 * Resolves at the first signal, even during the start: a start ended half way would leave its daemon behind. The signal
 * may come two or three times: from the terminal, from npm and from whatever watches both.
 */
function whenAskedToStop(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      setTimeout(() => process.exit(1), stopMs).unref();
      resolve();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  });
}

function readEnvironmentOrExit(): Environment {
  try {
    return readEnvironment(process.env);
  } catch (error) {
    return exitWith(error);
  }
}

async function startOrExit(environment: Environment, restart: () => void): Promise<Service> {
  try {
    const directory = dataDirectory(environment.dataDirectory);
    return await startService({
      ...environment,
      dataDirectory: directory,
      linger_s: null,
      restart,
      launcher: new ForkLauncher(),
      log: openLog(environment.logLevel, { directory }),
      ...builtPages(),
    });
  } catch (error) {
    return exitWith(error);
  }
}

function exitWith(error: unknown): never {
  console.error(error instanceof Error && 'code' in error ? `orangery: ${error.message}` : error);
  process.exit(1);
}

if (import.meta.main) await serve();
