import { shallowRef, type ShallowRef } from 'vue';
import { commandFaults, holdingRules, isKept, type CommandFault, type Outcome } from '../../server/contract/output.ts';
import { isApiError, type FailureCode } from '../client/api-error.ts';
import { useText, type Translate } from '../i18n/index.ts';
import { describeError } from '../stores/notice.ts';

/** How a command stands: nothing asked, asked, kept until it may act, or how it ended. */
export type CommandPhase = 'idle' | 'requested' | 'kept' | Outcome;

interface CommandAnswer {
  outcome: Outcome;
  code?: string | undefined;
  message: string;
}

export interface Command<Wanted> {
  phase: ShallowRef<CommandPhase>;
  /** Why it was not confirmed, in the shown language; what the device said itself in its own words. */
  message: ShallowRef<string>;
  /** What was asked for last, null before. */
  wanted: ShallowRef<Wanted | null>;
  send(wanted: Wanted): Promise<void>;
}

/** Codes of a refused call that are really the end of a command. */
const outcomeOfCode: Partial<Record<FailureCode, Outcome>> = {
  blocked: 'blocked',
  command_unknown: 'unknown',
  network: 'unknown',
};

/** How long a confirmation stays to be read, in ms. */
const confirmedShownMs = 4_000;

/**
 * A command to a device told honestly: requested at once, then confirmed, pending, unknown, failed or blocked by what the
 * server answered. `run` makes the call; the device's own state comes by the live store and is never set from here.
 */
export function useCommand<Wanted>(run: (wanted: Wanted) => Promise<CommandAnswer>): Command<Wanted> {
  const { t } = useText();
  const phase = shallowRef<CommandPhase>('idle');
  const message = shallowRef('');
  const wanted = shallowRef<Wanted | null>(null);
  let asked = 0;

  async function attempt(value: Wanted): Promise<CommandAnswer> {
    try {
      return await run(value);
    } catch (error) {
      const outcome = isApiError(error) ? (outcomeOfCode[error.code] ?? 'failed') : 'failed';
      return { outcome, message: describeError(error, t) };
    }
  }

  async function send(value: Wanted): Promise<void> {
    asked += 1;
    const mine = asked;
    wanted.value = value;
    phase.value = 'requested';
    message.value = '';
    const answer = await attempt(value);
    if (mine !== asked) return;
    phase.value = isKept(answer) ? 'kept' : answer.outcome;
    message.value = answer.outcome === 'confirmed' ? '' : reasonOf(answer, t);
    if (answer.outcome !== 'confirmed') return;
    setTimeout(() => {
      if (mine === asked) phase.value = 'idle';
    }, confirmedShownMs);
  }

  return { phase, message, wanted, send };
}

/** Those of which the device says more than the sentence. */
const ofDevice: ReadonlySet<CommandFault> = new Set([
  ...(['timed_out', 'bad_answer', 'refused', 'unreachable', 'unsupported'] as const),
]);

/** Why a command was not confirmed; the message itself where its code is none that we know. */
export function reasonOf({ code, message }: Pick<CommandAnswer, 'code' | 'message'>, t: Translate): string {
  const rule = holdingRules.find((one) => one === code);
  if (rule !== undefined) return t(`devices.hold.rules.${rule}`);
  const fault = commandFaults.find((one) => one === code);
  if (fault === undefined) return message;
  const said = t(`ui.result.${fault}`);
  return ofDevice.has(fault) && message !== '' ? `${said} (${message})` : said;
}
