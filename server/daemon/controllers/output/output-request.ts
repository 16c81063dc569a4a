import type { OutputCommand } from '../../../contract/daemon.ts';
import type { OutputChannel } from '../../../contract/output.ts';
import { epochOf, isoOf } from '../../../contract/time.ts';
import { amountsOf, askedState, keepsDuty } from '../../../domain/control/output-command.ts';
import type { Clock } from '../../clock.ts';
import type { OutputValue } from '../../drivers/driver.ts';
import { canonical } from '../../drivers/output-value.ts';
import { RemoteFailure } from '../../../contract/remote/failure.ts';
import type { ChannelCommand } from './channel-demand.ts';

/** The requested value in the form of the channel. Throws RemoteFailure `invalid_argument` on a contradiction. */
function requestedValue(request: OutputCommand, channel: OutputChannel): OutputValue {
  const { kind, name } = channel;
  const given = amountsOf(request);
  if (given.length > 1) throw new RemoteFailure('invalid_argument', `${given.join(' and ')} exclude each other`);
  const asked = askedState(request);
  const value = canonical(asked, kind);
  if (value !== undefined) return value;
  const isDuty = kind === 'switch' && asked === request.duty_cycle_pct;
  if (isDuty && keepsDuty(asked, channel, request.min_off_s)) return asked;
  const isTooLong = isDuty && channel.pwm_cycle_s !== null;
  const reason = isTooLong ? `: it would be on for longer than ${channel.max_on_s} s in each cycle` : '';
  throw new RemoteFailure('invalid_argument', `${name} is a ${kind} and cannot be set to ${asked} %${reason}`);
}

/**
 * How long it takes to dose the requested volume, s. Throws RemoteFailure `invalid_argument` without a calibrated flow.
 */
function durationOf({ state, duration_s, volume_ml }: OutputCommand, channel: OutputChannel): number | undefined {
  if (!state) return undefined;
  if (volume_ml === undefined) return duration_s;
  if (channel.flow_ml_s !== null) return volume_ml / channel.flow_ml_s;
  throw new RemoteFailure('invalid_argument', `volume_ml: the flow of ${channel.name} is not calibrated`);
}

interface Commanding {
  channel: OutputChannel;
  clock: Clock;
  /** How long a manual command holds a channel that a controller drives, s; undefined when none drives it. */
  hold_s: number | undefined;
}

/**
 * The command that a request makes: manual when no source is named, and an override for as long as `override_until`
 * says.
 */
export function toChannelCommand(request: OutputCommand, { channel, clock, hold_s }: Commanding): ChannelCommand {
  const source = request.source ?? 'manual';
  return {
    source,
    actor: request.actor ?? 'pyro',
    value: requestedValue(request, channel),
    ...holdOf(request, source === 'manual' ? hold_s : undefined, clock),
    duration_s: durationOf(request, channel),
    min_off_s: request.min_off_s,
    reason: request.reason,
    cause: request.cause && { ...request.cause, at: isoOf(clock.now()) },
    keep: request.keep === true ? 'for_a_while' : undefined,
  };
}

function holdOf(
  { override_until }: OutputCommand,
  hold_s: number | undefined,
  clock: Clock,
): Pick<ChannelCommand, 'hold' | 'hold_until_ms'> {
  if (override_until === undefined && (hold_s === undefined || hold_s === 0)) return { hold: 'next_command' };
  const nowMs = clock.now();
  const holdUntilMs = override_until === undefined ? nowMs + (hold_s ?? 0) * 1000 : epochOf(override_until);
  return { hold: clock.elapsed() + holdUntilMs - nowMs, hold_until_ms: holdUntilMs };
}
