import type { z } from 'zod';
import { daemonDefaultPort, daemonObjectId, type EventsSince } from './contract/daemon.ts';
import type { OutputState } from './contract/output.ts';
import { remoteMethods, type RemoteCalls } from './contract/remote/index.ts';
import type { DeclaredMethod } from './contract/remote/method.ts';
import type { StatusPair } from './contract/remote/parameters.ts';
import { messageOf } from './contract/message-of.ts';
import { RemoteProxy } from './remote/client.ts';
import { RemoteError } from './remote/exception.ts';

export const defaultDaemonUri = `PYRO:${daemonObjectId}@127.0.0.1:${daemonDefaultPort}`;

const defaultTimeout_s = 10;
/** How long a long poll may take beyond its wait, s. */
const pollMargin_s = 10;

export type OutputType = 'sec' | 'pwm' | 'vol' | 'value';
export type PidReadable = 'setpoint' | 'error' | 'integrator' | 'derivator' | 'kp' | 'ki' | 'kd';
export type PidWritable = 'setpoint' | 'method' | 'integrator' | 'derivator' | 'kp' | 'ki' | 'kd';

/**
 * The signatures promised to programs. `DaemonControl` has them and those of all other declared methods; a declaration
 * that does not match does not compile. Defaults: `output_type` 'sec', `amount` and `min_off` 0, `trigger_conditionals`
 * and `thread` true, `return_from_function` false, the lowest channel.
 */
export interface SpecifiedControl {
  controller_activate: (controller_id: string, controller_type?: string) => Promise<StatusPair>;
  controller_deactivate: (controller_id: string, controller_type?: string) => Promise<StatusPair>;
  get_condition_measurement: (condition_id: string) => Promise<number | null>;
  get_condition_measurement_dict: (condition_id: string) => Promise<[number, number | null][] | null>;
  /** Resolves once the reading is stored. */
  input_force_measurements: (input_id: string) => Promise<StatusPair>;
  lcd_backlight: (lcd_id: string, state: boolean) => Promise<StatusPair>;
  lcd_flash: (lcd_id: string, state: boolean) => Promise<StatusPair>;
  lcd_reset: (lcd_id: string) => Promise<StatusPair>;
  output_off: (output_id: string, trigger_conditionals?: boolean, output_channel?: number) => Promise<StatusPair>;
  /** `amount` in s, %, ml or the unit of the output, by its type; `min_off` in s. */
  output_on: (
    output_id: string,
    output_type?: OutputType,
    amount?: number,
    min_off?: number,
    trigger_conditionals?: boolean,
    output_channel?: number,
  ) => Promise<StatusPair>;
  output_on_off: (
    output_id: string,
    state: 'on' | 'off',
    output_type?: OutputType,
    amount?: number,
    output_channel?: number,
  ) => Promise<StatusPair>;
  output_sec_currently_on: (output_id: string, output_channel?: number) => Promise<number>;
  output_setup: (action: 'Add' | 'Delete' | 'Modify', output_id: string) => Promise<StatusPair>;
  output_state: (output_id: string, output_channel?: number) => Promise<OutputState>;
  pid_get: (pid_id: string, setting: PidReadable) => Promise<number | null>;
  pid_set: (pid_id: string, setting: PidWritable, value: number | string) => Promise<'success'>;
  pid_hold: (pid_id: string) => Promise<'success'>;
  pid_pause: (pid_id: string) => Promise<'success'>;
  pid_resume: (pid_id: string) => Promise<'success'>;
  pid_mod: (pid_id: string) => Promise<'success'>;
  module_function: (
    controller_type: string,
    unique_id: string,
    button_id: string,
    args_dict: Readonly<Record<string, unknown>>,
    thread?: boolean,
    return_from_function?: boolean,
  ) => Promise<[number, unknown]>;
  refresh_daemon_conditional_settings: (unique_id: string) => Promise<'success'>;
  refresh_daemon_misc_settings: () => Promise<'success'>;
  refresh_daemon_trigger_settings: (unique_id: string) => Promise<'success'>;
}

export interface DaemonControlOptions {
  /** Address of the daemon's remote object. */
  pyro_uri?: string;
  /** Longest time for a call, s; default 10. */
  pyro_timeout?: number;
  /** The secret of a daemon that requires one; sent in the handshake. */
  pyro_handshake?: string;
  /** Certificate authority of a daemon on another machine, PEM; the connection then uses TLS. */
  pyro_ca?: string;
}

/** Two methods differ from the wire: one waits on a connection of its own, the other never rejects. */
type DeclaredCalls = Omit<RemoteCalls, 'events_since' | 'check_daemon'>;

const DeclaredControl: new (proxy: RemoteProxy) => SpecifiedControl & DeclaredCalls = classOf(remoteMethods);

/**
 * Talks to a running control daemon like any outside program: with every method that `contract/remote` declares,
 * arguments by position. It connects at the first call and again after a failure; calls go one after the other, except
 * `events_since`, which waits on a connection of its own.
 *
 * Every call rejects with a RemoteError: the daemon's code (`not_found`, `invalid_argument`, `not_active`,
 * `not_available`) or one of the connection (`connection_failed`, `timeout`, `closed`, ...), and `protocol_error` for
 * an answer that does not match the declaration.
 */
export class DaemonControl extends DeclaredControl {
  readonly #proxy: RemoteProxy;
  readonly #events: RemoteProxy;

  constructor(options: DaemonControlOptions = {}) {
    const { pyro_uri = defaultDaemonUri, pyro_timeout = defaultTimeout_s, pyro_handshake, pyro_ca } = options;
    const connection = {
      uri: pyro_uri,
      timeoutMs: pyro_timeout * 1000,
      ...(pyro_handshake !== undefined && { handshake: pyro_handshake }),
      ...(pyro_ca !== undefined && { tls: { ca: pyro_ca } }),
    };
    const proxy = new RemoteProxy(connection);
    super(proxy);
    this.#proxy = proxy;
    this.#events = new RemoteProxy(connection);
  }

  /** Drops both connections; calls under way reject with `closed`. */
  close(): void {
    this.#proxy.close();
    this.#events.close();
  }

  /** 'GOOD', or what is wrong, including that the daemon cannot be reached. */
  async check_daemon(): Promise<string> {
    try {
      return (await call(this.#proxy, 'check_daemon', remoteMethods.check_daemon)) ?? 'GOOD';
    } catch (error) {
      return messageOf(error);
    }
  }

  /** The events after a cursor, or none after `wait_s` (0..60 s). */
  events_since(cursor: string, wait_s = 20, signal?: AbortSignal): Promise<EventsSince> {
    const options = { timeoutMs: (wait_s + pollMargin_s) * 1000, ...(signal && { signal }) };
    return call(this.#events, 'events_since', remoteMethods.events_since, { args: [cursor, wait_s], options });
  }
}

/** A class whose objects have the methods of the list. */
function classOf(methods: typeof remoteMethods): new (proxy: RemoteProxy) => DeclaredCalls {
  class Calls {
    readonly #proxy: RemoteProxy;

    constructor(proxy: RemoteProxy) {
      this.#proxy = proxy;
    }

    static {
      for (const [name, declared] of Object.entries<DeclaredMethod>(methods)) {
        Object.defineProperty(Calls.prototype, name, {
          value(this: Calls, ...args: unknown[]) {
            return call(this.#proxy, name, declared, { args });
          },
        });
      }
    }
  }
  return Calls as unknown as new (proxy: RemoteProxy) => DeclaredCalls; // each method of the list was defined just now
}

interface Asked {
  args?: readonly unknown[];
  options?: Parameters<RemoteProxy['call']>[3];
}

/**
 * Sends one call. Optional arguments go by name, as other daemons have the same names in another order, and with their
 * defaults, as theirs may differ. Rejects with `protocol_error` if the answer does not match the declaration.
 */
async function call<Answer extends z.ZodType>(
  proxy: RemoteProxy,
  name: string,
  { parameters, answer: agreed }: Pick<DeclaredMethod, 'parameters'> & { answer: Answer },
  { args = [], options }: Asked = {},
): Promise<z.output<Answer>> {
  const needed = parameters.filter((parameter) => !('default' in parameter)).length;
  const named = parameters.slice(needed).map((parameter, at) => {
    const fallback = 'default' in parameter ? parameter.default : undefined;
    return [parameter.name, args[needed + at] ?? fallback] as const;
  });
  const given = Object.fromEntries(named.filter(([, value]) => value !== null));
  const parsed = agreed.safeParse(await proxy.call(name, args.slice(0, needed), given, options));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new RemoteError('protocol_error', `${name} answered something else than agreed at "${where}"`);
}
