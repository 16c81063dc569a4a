import { conditionalLive, type Conditional, type ConditionalLive } from '../../contract/conditional.ts';
import { triggerLive, type Trigger, type TriggerLive } from '../../contract/trigger.ts';
import type { ControllerStore } from '../../db/repositories/controller-stores.ts';
import { statementLanguage } from '../../domain/expression/language.ts';
import type { LiveCache } from '../live/live.ts';

interface RuleServiceOptions {
  kinds: { trigger: ControllerStore<Trigger>; conditional: ControllerStore<Conditional> };
  live: Pick<LiveCache, 'control'>;
}

/** The live state of triggers and conditional functions. Unknown for one that does not run. */
export class RuleService {
  readonly #options: RuleServiceOptions;

  constructor(options: RuleServiceOptions) {
    this.#options = options;
  }

  readonly language = statementLanguage;

  triggers(): TriggerLive[] {
    const { kinds, live } = this.#options;
    return kinds.trigger.list().map(({ unique_id: trigger_id, is_activated }) => {
      const known = is_activated ? triggerLive.safeParse(live.control(trigger_id)).data : undefined;
      return known ?? { trigger_id, next_at: null, last_run: null, missed: null };
    });
  }

  conditionals(): ConditionalLive[] {
    const { kinds, live } = this.#options;
    return kinds.conditional.list().map(({ unique_id: conditional_id, is_activated }) => {
      const known = is_activated ? conditionalLive.safeParse(live.control(conditional_id)).data : undefined;
      return known ?? { conditional_id, last_run: null };
    });
  }
}
