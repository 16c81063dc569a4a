import { z } from 'zod';
import {
  functionKinds,
  functionLive,
  functionDefinition,
  type FunctionLive,
  type FunctionSettings,
} from '../../contract/function.ts';
import type { ControllerStore } from '../../db/repositories/controller-stores.ts';
import type { LiveCache } from '../live/live.ts';

interface FunctionServiceOptions {
  kinds: { function: ControllerStore<FunctionSettings> };
  live: Pick<LiveCache, 'control'>;
}

const schema = z.record(z.string(), z.json());

/** What functions there can be, and how those that there are stand. */
export class FunctionService {
  readonly #options: FunctionServiceOptions;

  constructor(options: FunctionServiceOptions) {
    this.#options = options;
  }

  kinds() {
    return functionKinds.map((kind) => ({
      kind,
      options_schema: schema.parse(z.toJSONSchema(functionDefinition({ kind }).options, { io: 'input' })),
    }));
  }

  list(): FunctionLive[] {
    return this.#options.kinds.function.list().map((settings) => this.#liveOf(settings));
  }

  /** Of one that does not run, or of which the daemon has not said anything, nothing is known. */
  #liveOf({ unique_id, is_activated }: FunctionSettings): FunctionLive {
    const known = is_activated ? functionLive.safeParse(this.#options.live.control(unique_id)).data : undefined;
    return known ?? { function_id: unique_id, value: null, unit: null, is_on: null, because: null, at: null };
  }
}
