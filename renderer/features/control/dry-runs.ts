import type { Component } from 'vue';
import { conditionalEndpoints } from '../../../server/contract/conditional.ts';
import type { ControllerWord } from '../../../server/contract/controller-kinds.ts';
import { dryRunEndpoints } from '../../../server/contract/dry-run.ts';
import { functionCreate } from '../../../server/contract/function.ts';
import { pidCreate } from '../../../server/contract/pid.ts';
import { triggerCreate } from '../../../server/contract/trigger.ts';
import type { Call } from '../../client/client.ts';
import type { MessageKey } from '../../i18n/index.ts';
import { groupOf, type Group } from '../devices/form/option-schema.ts';
import ConditionalTold from './ConditionalTold.vue';
import { functionBody } from './function-form.ts';
import FunctionTold from './FunctionTold.vue';
import { bodyOf } from './pid-form.ts';
import PidTold from './PidTold.vue';
import { checkBody, triggerBody } from './rule-form.ts';
import TriggerTold from './TriggerTold.vue';

/** Spans of stored time, s: an hour to 31 days. */
const stretches = [3_600, 6 * 3_600, 86_400, 7 * 86_400, 31 * 86_400] as const;
/** The maximum number of ticks that the server tries. */
const mostLooks = 50_000;
const usualPeriod_s = 60;

/** What is tried: the span, and the id of the controller that it would change; none when new. */
export interface Tried {
  from: string;
  to: string;
  unique_id?: string | undefined;
}

/** How the entries of one kind are tried before they are stored. */
export interface DryRun {
  /** Explanation for the user. */
  text: MessageKey;
  /** Time between two ticks, s; null when it uses only the present. */
  period_s: ((form: Group) => number) | null;
  /** The request; null while the form is incomplete. */
  ask: (form: Group, tried: Tried) => ((call: Call) => Promise<object>) | null;
  /** Shows the result `told` for the span `from_ms` to `to_ms` and the `form` it belongs to. */
  told: Component;
}

/** A missing name does not prevent a trial. */
const named = (body: Group): Group => ({ ...body, name: body['name'] || '–' });

/** Kinds that can be tried; curves are drawn while they are edited. */
export const dryRuns: Partial<Record<ControllerWord, DryRun>> = {
  pid: {
    text: 'rules.dry.texts.pid',
    period_s: null,
    ask: (form, { unique_id }) => {
      const { data: pid } = pidCreate.safeParse(named(bodyOf(form)));
      return pid === undefined ? null : (call) => call(dryRunEndpoints.pid, { body: { pid, unique_id } });
    },
    told: PidTold,
  },
  trigger: {
    text: 'rules.dry.texts.trigger',
    period_s: () => usualPeriod_s,
    ask: (form, tried) => {
      const { data: trigger } = triggerCreate.safeParse(named(triggerBody(form, false)));
      return trigger === undefined ? null : (call) => call(dryRunEndpoints.trigger, { body: { trigger, ...tried } });
    },
    told: TriggerTold,
  },
  conditional: {
    text: 'rules.dry.texts.conditional',
    period_s: periodOf,
    ask: (form, { from, to }) => {
      const checked = checkBody(form);
      if (checked === null) return null;
      const body = { ...checked, period_s: periodOf(form), from, to };
      return (call) => call(conditionalEndpoints.dryRun, { body });
    },
    told: ConditionalTold,
  },
  function: {
    text: 'rules.dry.texts.function',
    period_s: ({ options }) => periodOf(groupOf(options)),
    ask: (form, tried) => {
      const { data } = functionCreate.safeParse(named(functionBody(form, false)));
      return data === undefined
        ? null
        : (call) => call(dryRunEndpoints.function, { body: { function: data, ...tried } });
    },
    told: FunctionTold,
  },
};

function periodOf({ period_s }: Group): number {
  return typeof period_s === 'number' ? period_s : usualPeriod_s;
}

/** The spans available for a trial: the shorter the period, the shorter the span. */
export function triedStretches(period_s: number): number[] {
  return stretches.filter((one) => one / period_s <= mostLooks);
}
