import { shallowRef, type ShallowRef } from 'vue';
import { commandFaults, holdingRules, isKept, type CommandFault, type Outcome } from '../../server/contract/output.ts';
import { isApiError, type FailureCode } from '../client/api-error.ts';
import { useText, type Translate } from '../i18n/index.ts';
import { deviceWordsText } from '../../server/contract/device-words.ts';
import { describeError } from '../stores/notice.ts';

/** The state of a command: none, requested, kept until it may run, or its outcome. */
export type CommandPhase = 'idle' | 'requested' | 'kept' | Outcome;

interface CommandAnswer {
  outcome: Outcome;
  code?: string | undefined;
  message: string;
}

export interface Command<Wanted> {
  phase: ShallowRef<CommandPhase>;
  /** Why it was not confirmed, in the language of the page; the device's own words verbatim. */
  message: ShallowRef<string>;
  /** The last command; null before the first. */
  wanted: ShallowRef<Wanted | null>;
  send(wanted: Wanted): Promise<void>;
  /** Takes a result that came after the answer. */
  settle(answer: CommandAnswer): void;
  /** Says nothing more of the last command. */
  end(): void;
}

/** Codes of a refused call that are really the outcome of a command. */
const outcomeOfCode: Partial<Record<FailureCode, Outcome>> = {
  blocked: 'blocked',
  command_unknown: 'unknown',
  network: 'unknown',
};

/** A server that has not answered for so long may never do so, ms. What it says later still counts. */
const silentMs = 30_000;
/** How long a confirmation stays visible, ms. */
const confirmedShownMs = 4_000;

/**
 * An honest command to a device: requested at once, then confirmed, pending, unknown, failed or blocked according to
 * the server's answer. `run` makes the call; the device's state comes from the live store and is never set here.
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
    const silent = setTimeout(() => {
      if (mine !== asked) return;
      phase.value = 'unknown';
      message.value = t('ui.noAnswer');
    }, silentMs);
    const answer = await attempt(value);
    clearTimeout(silent);
    if (mine === asked) settle(answer);
  }

  function settle(answer: CommandAnswer): void {
    const mine = asked;
    message.value = answer.outcome === 'confirmed' ? '' : reasonOf(answer, t);
    phase.value = isKept(answer) ? 'kept' : answer.outcome;
    if (answer.outcome !== 'confirmed') return;
    setTimeout(() => {
      if (mine === asked) phase.value = 'idle';
    }, confirmedShownMs);
  }

  function end(): void {
    phase.value = 'idle';
    message.value = '';
  }

  return { phase, message, wanted, send, settle, end };
}

/** Faults for which the device's message adds to the sentence. */
const ofDevice: ReadonlySet<CommandFault> = new Set([
  ...(['timed_out', 'bad_answer', 'refused', 'unreachable', 'unsupported'] as const),
]);

/** Why a command was not confirmed; the message itself when its code is unknown. */
export function reasonOf({ code, message }: Pick<CommandAnswer, 'code' | 'message'>, t: Translate): string {
  const rule = holdingRules.find((one) => one === code);
  if (rule !== undefined) return t(`devices.hold.rules.${rule}`);
  const fault = commandFaults.find((one) => one === code);
  if (fault === undefined) return message;
  const said = t(`ui.result.${fault}`);
  return ofDevice.has(fault) && message !== ''
    ? t('ui.aside', { text: said, more: deviceWordsText(message, t) })
    : said;
}
