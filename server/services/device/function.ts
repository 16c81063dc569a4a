import { z } from 'zod';
import {
  functionKinds,
  functionLive,
  type functionEndpoints,
  commandsOf,
  functionDefinition,
  type FunctionLive,
  type FunctionSettings,
} from '../../contract/function.ts';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { BodyOf } from '../../contract/endpoint.ts';
import { Refusal, refusePlainly } from '../../contract/errors.ts';
import type { DaemonPort } from '../live/daemon-port.ts';
import type { ControllerStore } from '../../db/repositories/controller-stores.ts';
import type { LiveCache } from '../live/live.ts';
import { audited, failedWith } from './audited.ts';

interface FunctionServiceOptions {
  kinds: { function: ControllerStore<FunctionSettings> };
  live: Pick<LiveCache, 'control'>;
  daemon: Pick<DaemonPort, 'module_function'>;
  audit: AuditSink;
}

const schema = z.record(z.string(), z.json());

/** The kinds of functions, and the live state of the existing ones. */
export class FunctionService {
  readonly #options: FunctionServiceOptions;

  constructor(options: FunctionServiceOptions) {
    this.#options = options;
  }

  kinds() {
    return functionKinds.map((kind) => ({
      kind,
      commands: [...commandsOf(kind)],
      options_schema: schema.parse(z.toJSONSchema(functionDefinition({ kind }).options, { io: 'input' })),
    }));
  }

  /**
   * Runs a command that its kind declares. Throws `not_found`, `not_active`, `invalid_field`, and the daemon's error.
   */
  async command(
    actor: Actor,
    id: string,
    { command }: BodyOf<typeof functionEndpoints.command>,
  ): Promise<FunctionLive> {
    const { kinds, daemon, audit } = this.#options;
    const settings = kinds.function.get(id);
    if (settings === undefined) throw new Refusal('not_found', 'no such function');
    if (!settings.is_activated) throw new Refusal('not_active', `function "${settings.name}" is not activated`);
    if (!commandsOf(settings.kind).includes(command))
      throw refusePlainly('invalid_field', 'command', `is none of a function of the kind ${settings.kind}`);
    const call = () => daemon.module_function('Function', id, command, {}, false, true);
    const [status, answer] = await audited(call, {
      audit,
      kind: 'function.command',
      actor,
      target: id,
      asked: { command },
      after: ([failed, told]) => (failed === 0 ? {} : failedWith(String(told))),
    });
    if (status !== 0) throw new Refusal('command_failed', String(answer));
    return functionLive.parse(answer);
  }

  list(): FunctionLive[] {
    return this.#options.kinds.function.list().map((settings) => this.#liveOf(settings));
  }

  /** For a function that does not run, or of which the daemon has reported nothing, every value is unknown. */
  #liveOf({ unique_id, is_activated }: FunctionSettings): FunctionLive {
    const known = is_activated ? functionLive.safeParse(this.#options.live.control(unique_id)).data : undefined;
    return (
      known ?? {
        function_id: unique_id,
        value: null,
        unit: null,
        is_on: null,
        because: null,
        reason: null,
        at: null,
        progress: null,
        values: [],
      }
    );
  }
}
