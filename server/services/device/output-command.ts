import type { Now } from '../../auth/now.ts';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { OutputCommand } from '../../contract/daemon.ts';
import { Refusal, refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type {
  Output,
  OutputChannel,
  OutputCommandResult,
  OutputRequest,
  OutputState,
  OverrideReleased,
} from '../../contract/output.ts';
import { isTaken, lackedBy } from '../../contract/output-state.ts';
import type { CommandAnswer } from '../../contract/remote/output.ts';
import { isoOf, epochOf } from '../../contract/time.ts';
import { amountsOf, askedState, keepsDuty } from '../../domain/control/output-command.ts';
import type { DaemonPort } from '../live/daemon-port.ts';
import type { LiveCache } from '../live/live.ts';
import { audited } from './audited.ts';

interface CommanderOptions {
  daemon: Pick<DaemonPort, 'output_command' | 'override_release'>;
  live: Pick<LiveCache, 'outputState' | 'noteOutput'>;
  audit: AuditSink;
  clock: Now;
}

/** A command whose output and channel are known to exist. */
export interface CheckedCommand {
  output: Output;
  channel: OutputChannel;
  requested: OutputState;
  request: OutputRequest;
}

/** Sends commands to outputs through the daemon. */
export class OutputCommander {
  readonly #options: CommanderOptions;

  constructor(options: CommanderOptions) {
    this.#options = options;
  }

  /**
   * Switches one output and returns what the device did. Throws `not_active`, `unknown_reference` for a channel,
   * `invalid_field`, and by the outcome `blocked`, `command_failed`, `command_unknown`, or `daemon_unreachable`.
   */
  async command(actor: Actor, output: Output, request: OutputRequest): Promise<OutputCommandResult> {
    const checked = this.check(output, request);
    const { unique_id } = output;
    const { channel } = checked.channel;
    const before = this.#options.live.outputState(unique_id, channel);
    const answer = await audited(() => this.send(actor, checked), {
      audit: this.#options.audit,
      kind: 'output.command',
      actor,
      target: unique_id,
      before,
      asked: { channel, requested: checked.requested },
      after: (told) => told,
    });
    const { outcome, code, message, state } = answer;
    const result = { output_id: unique_id, channel, requested: checked.requested, outcome, message, state };
    refuseUnsuccessful(answer, result);
    return code === undefined ? result : { ...result, code };
  }

  /** Ends the manual command of a channel; the next claim takes effect. Throws `not_active`, `unknown_reference`. */
  async release(actor: Actor, output: Output, number: number | undefined): Promise<OverrideReleased> {
    const { daemon, live, audit } = this.#options;
    const { unique_id: output_id } = output;
    const { channel } = this.check(output, { state: false, ...(number !== undefined && { channel: number }) }).channel;
    const before = live.outputState(output_id, channel);
    const { released, state } = await audited(() => daemon.override_release(output_id, channel, actorName(actor)), {
      audit,
      kind: 'output.release',
      actor,
      target: output_id,
      before,
      asked: { channel },
      after: (told) => ({ released: told.released, state: told.state }),
    });
    live.noteOutput(output_id, state);
    return { output_id, channel, released, state };
  }

  /** Checks a request against its output before anything is sent. Throws as `command`. */
  check(output: Output, request: OutputRequest): CheckedCommand {
    if (!output.is_activated) throw new Refusal('not_active', `output "${output.name}" is not activated`);
    const channel = findChannel(output, request.channel);
    if (channel === undefined) throw refuseField('unknown_reference', 'channel', why('no_such_channel'));
    refuseContradiction(request, channel);
    const until = request.override_until;
    if (until !== undefined && epochOf(until) <= this.#options.clock()) {
      throw refuseField('invalid_field', 'override_until', why('override_past', { at: isoOf(this.#options.clock()) }));
    }
    return { output, channel, requested: askedState(request), request };
  }

  /** Sends a checked command and keeps the state in its answer. Rejects with the errors of the daemon's client. */
  async send(actor: Actor, { output, channel, request }: CheckedCommand): Promise<CommandAnswer> {
    const command: OutputCommand = {
      ...request,
      output_id: output.unique_id,
      channel: channel.channel,
      source: 'manual',
      actor: actorName(actor),
    };
    const { cursor, ...answer } = await this.#options.daemon.output_command(command);
    this.#options.live.noteOutput(output.unique_id, answer.state, cursor);
    return answer;
  }
}

/** The channel with this number, by default the lowest. */
export function findChannel(output: Output, channel: number | undefined): OutputChannel | undefined {
  return channel === undefined ? output.channels[0] : output.channels.find((one) => one.channel === channel);
}

/** The actor as states, events and journals name it; a key by its name at that time. */
export function actorName(actor: Actor): string {
  const name = actor.username ?? 'service';
  return actor.key_id === null ? name : `${name} by key ${actor.key_name ?? actor.key_id}`;
}

function refuseContradiction(request: OutputRequest, channel: OutputChannel): void {
  const [first, second] = amountsOf(request);
  if (second !== undefined) throw refusePlainly('invalid_field', second, `cannot go with ${first}: give one amount`);
  if (first !== undefined && !request.state) throw refusePlainly('invalid_field', first, 'needs state true');
  const lacked = first && lackedBy(channel, first);
  if (lacked !== undefined) throw refuseField('invalid_field', first ?? '', lacked);
  if (channel.kind === 'switch') refuseTooLong(request, channel);
}

function refuseTooLong({ duty_cycle_pct, min_off_s }: OutputRequest, channel: OutputChannel): void {
  if (duty_cycle_pct === undefined) return;
  const isWhole = duty_cycle_pct === 0 || duty_cycle_pct === 100;
  if (isWhole || keepsDuty(duty_cycle_pct, channel, min_off_s)) return;
  throw refuseField('invalid_field', 'duty_cycle_pct', why('duty_too_long'));
}

function refuseUnsuccessful(answer: CommandAnswer, result: OutputCommandResult): void {
  if (isTaken(answer)) return;
  const members = { ...result, reason: answer.code ?? null };
  const code =
    answer.outcome === 'blocked' ? 'blocked' : answer.outcome === 'failed' ? 'command_failed' : 'command_unknown';
  throw new Refusal(code, answer.message, { members });
}
