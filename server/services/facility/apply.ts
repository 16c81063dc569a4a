import type { Actor, AuditSink } from '../../auth/actor.ts';
import { Refusal, refuseField, refusePlainly } from '../../contract/errors.ts';
import type { ActuatorBinding, ApplyAction, ApplyOutcome, ApplyResult, Facility } from '../../contract/facility.ts';
import { outputRequest, type OutputRequest } from '../../contract/output.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import { commandFailure } from '../live/daemon-port.ts';
import type { FacilityService } from './facility.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { LiveCache } from '../live/live.ts';
import { findChannel, type CheckedCommand, type OutputCommander } from '../device/output-command.ts';

interface ApplyOptions {
  facilities: Pick<FacilityService, 'get'>;
  outputs: Pick<OutputRepository, 'get'>;
  commander: OutputCommander;
  live: Pick<LiveCache, 'outputState'>;
  audit: AuditSink;
}

interface Step {
  binding: ActuatorBinding;
  command: CheckedCommand;
}

/** Commands actuators by role. */
export class FacilityApply {
  readonly #options: ApplyOptions;

  constructor(options: ApplyOptions) {
    this.#options = options;
  }

  /**
   * Sends each action to all bindings of its role, after checking all. Throws `not_found`, `role_not_bound`,
   * `unknown_reference`, `invalid_field`, `not_active` before anything is sent. When none is confirmed, pending or
   * unknown, throws with the results: `blocked` when all were, else `command_failed` or `daemon_unreachable`.
   */
  async apply(actor: Actor, facilityId: string, actions: readonly ApplyAction[]): Promise<ApplyResult> {
    const facility = this.#options.facilities.get(facilityId);
    const steps = this.#plan(facility, actions);
    const before = steps.map(({ command }) =>
      this.#options.live.outputState(command.output.unique_id, command.channel.channel),
    );
    const results = await Promise.all(steps.map((step) => this.#send(actor, step)));
    this.#options.audit.record({
      kind: 'facility.apply',
      actor,
      target: facilityId,
      before,
      after: { actions, results },
    });
    refuseAllFailed(results);
    return { results };
  }

  #plan(facility: Facility, actions: readonly ApplyAction[]): Step[] {
    const takenBy = new Map<string, number>();
    return actions.flatMap((action, index) =>
      this.#bindingsOf(facility, action, index).map((binding) => {
        const command = this.#check(binding, action, index);
        const key = `${command.output.unique_id}/${command.channel.channel}`;
        const first = takenBy.get(key);
        if (first !== undefined) {
          throw refusePlainly('invalid_field', `actions[${index}]`, `commands what actions[${first}] commands already`);
        }
        takenBy.set(key, index);
        return { binding, command };
      }),
    );
  }

  #bindingsOf(facility: Facility, action: ApplyAction, index: number): ActuatorBinding[] {
    const ofRole = facility.actuators.filter(({ role }) => role === action.role);
    if (ofRole.length === 0) {
      throw refusePlainly('role_not_bound', `actions[${index}].role`, `${action.role} is bound to no device`);
    }
    const id = action.device_id;
    const chosen = ofRole.filter(
      (binding) =>
        (id === undefined || binding.device_id === id) &&
        (action.channel === undefined || this.#channelOf(binding) === action.channel),
    );
    if (chosen.length > 0) return chosen;
    const field = id === undefined ? 'channel' : 'device_id';
    throw refusePlainly('role_not_bound', `actions[${index}].${field}`, `is not bound as ${action.role}`);
  }

  #channelOf(binding: ActuatorBinding): number | undefined {
    const output = this.#options.outputs.get(binding.device_id);
    return output && findChannel(output, binding.channel)?.channel;
  }

  #check(binding: ActuatorBinding, action: ApplyAction, index: number): CheckedCommand {
    const output = this.#options.outputs.get(binding.device_id);
    const channel = output && findChannel(output, binding.channel);
    if (output === undefined || channel === undefined) {
      throw refuseField(
        'unknown_reference',
        `actions[${index}].role`,
        why('bound_device_gone', { name: binding.name }),
      );
    }
    const request = { ...toRequest(action, index), channel: channel.channel };
    try {
      return this.#options.commander.check(output, parseOrRefuse(outputRequest, request, []));
    } catch (error) {
      if (!(error instanceof Refusal) || error.errors === undefined) throw error;
      const errors = error.errors.map((field) => ({
        ...field,
        path: `actions[${index}].${sentAs(field.path, action)}`,
      }));
      throw new Refusal(error.code, `${binding.name}: ${error.message}`, { errors, cause: error });
    }
  }

  async #send(actor: Actor, { binding, command }: Step): Promise<ApplyOutcome> {
    const base = {
      role: binding.role,
      device_id: command.output.unique_id,
      channel: command.channel.channel,
      requested: command.requested,
    };
    try {
      const { outcome, code, message } = await this.#options.commander.send(actor, command);
      return { ...base, outcome, ...(code !== undefined && { code }), message };
    } catch (error) {
      const { code, message } = commandFailure(error);
      return { ...base, outcome: code === 'command_unknown' ? 'unknown' : 'failed', code, message };
    }
  }
}

function toRequest(action: ApplyAction, index: number): OutputRequest {
  const { state, amount, unit, duration_s, reason, keep } = action;
  if (amount !== undefined && duration_s !== undefined) {
    throw refusePlainly('invalid_field', `actions[${index}].duration_s`, 'cannot go with amount');
  }
  const seconds = unit === 's' ? amount : duration_s;
  return {
    state,
    ...(seconds !== undefined && { duration_s: seconds }),
    ...(unit === 'pct' && amount !== undefined && { duty_cycle_pct: amount }),
    ...(unit === 'ml' && amount !== undefined && { volume_ml: amount }),
    ...(reason !== undefined && { reason }),
    ...(keep !== undefined && { keep }),
  };
}

/** The field of the action behind a field of the output's request. */
function sentAs(path: string, { amount }: ApplyAction): string {
  const isAmount = path === 'duty_cycle_pct' || path === 'volume_ml' || path === 'duration_s';
  return isAmount && amount !== undefined ? 'amount' : path;
}

function refuseAllFailed(results: readonly ApplyOutcome[]): void {
  const outcomes = new Set(results.map((result) => result.outcome));
  if (outcomes.has('confirmed') || outcomes.has('pending') || outcomes.has('unknown')) return;
  const members = { results };
  if (!outcomes.has('failed')) throw new Refusal('blocked', why('all_blocked'), { members });
  const isAway = results.every((result) => result.code === 'daemon_unreachable');
  if (isAway) throw new Refusal('daemon_unreachable', 'no command was carried out', { members });
  throw new Refusal('command_failed', why('nothing_carried_out'), { members });
}
