import { outputCommand, type OutputCommand } from '../../contract/daemon.ts';
import type { OutputState } from '../../contract/output.ts';
import { RemoteFailure } from '../../contract/remote/failure.ts';
import type { ArgumentsOf } from '../../contract/remote/method.ts';
import type { outputMethods } from '../../contract/remote/output.ts';
import { outsideActor, type StatusPair } from '../../contract/remote/parameters.ts';
import type { Activation } from '../controllers/activation.ts';
import type { Outputs } from '../controllers/output/outputs.ts';
import type { EventRing } from '../events/events.ts';
import { statusPair } from '../drivers/outcomes.ts';
import { actorOf } from './access.ts';
import { parse, type HandlersOf } from './handlers.ts';

/** Sources that a caller may name; emergency stop and safety are the daemon's own. */
const callerSources: readonly unknown[] = ['manual', 'commissioning', 'automatic', undefined];

type TurnOn = Omit<ArgumentsOf<(typeof outputMethods)['output_on']>, 'trigger_conditionals'>;
type Amounts = Pick<OutputCommand, 'duration_s' | 'duty_cycle_pct' | 'value' | 'volume_ml'>;

function amountsOf(kind: TurnOn['output_type'], given: number): Amounts {
  if (kind === 'pwm') return { duty_cycle_pct: given };
  if (kind === 'value') return { value: given };
  if (kind === 'vol') return { volume_ml: given };
  return given > 0 ? { duration_s: given } : {};
}

interface OutputParts {
  outputs: Outputs;
  activation: Activation;
  events: Pick<EventRing, 'cursor'>;
}

export function outputHandlers({ outputs, activation, events }: OutputParts): HandlersOf<typeof outputMethods> {
  const channelOf = (outputId: string, number: number | null | undefined) => {
    activation.require('Output', outputId);
    return outputs.channel(outputId, number ?? undefined);
  };
  const automatic = async (command: Omit<OutputCommand, 'source' | 'actor'>): Promise<StatusPair> => {
    activation.require('Output', command.output_id);
    const checked = parse(outputCommand, { ...command, source: 'automatic', actor: outsideActor });
    return statusPair(await outputs.command(checked));
  };
  const turnOn = ({ output_id, output_type, amount, min_off, output_channel }: TurnOn) =>
    automatic({
      output_id,
      state: true,
      ...amountsOf(output_type, amount),
      ...(min_off > 0 && { min_off_s: min_off }),
      ...channelMember(output_channel),
    });
  const turnOff = (output_id: string, channel: number | null | undefined) =>
    automatic({ output_id, state: false, ...channelMember(channel) });

  return {
    output_on: turnOn,
    output_off: ({ output_id, output_channel }) => turnOff(output_id, output_channel),
    output_on_off: (args) =>
      args.state === 'on' ? turnOn({ ...args, min_off: 0 }) : turnOff(args.output_id, args.output_channel),
    output_state: ({ output_id, output_channel }) => channelOf(output_id, output_channel).state().state,
    output_sec_currently_on: ({ output_id, output_channel }) =>
      channelOf(output_id, output_channel).state().on_seconds ?? 0,
    output_states_all: () => statesByChannel(outputs),
    output_setup: ({ action, output_id }) => activation.setUpOutput(action, output_id),
    output_command: async ({ command }, call) => {
      if (!callerSources.includes(command.source)) throw notForCallers(command.source);
      activation.require('Output', command.output_id);
      const answer = await outputs.command({ ...command, actor: actorOf(call, command.actor) });
      return { ...answer, cursor: events.cursor };
    },
    override_release: async ({ output_id, output_channel, actor }, call) => {
      const channel = channelOf(output_id, output_channel);
      return { released: await channel.releaseManual(actorOf(call, actor)), state: channel.state() };
    },
  };
}

function channelMember(channel: number | null | undefined): { channel?: number } {
  return channel == null ? {} : { channel };
}

function notForCallers(source: unknown): RemoteFailure {
  return new RemoteFailure('invalid_argument', `command.source: ${String(source)} cannot be named by a caller`);
}

/** Integer keys, which serpent keeps and JSON writes as text. */
function statesByChannel(outputs: Outputs): Record<string, Map<number, OutputState>> {
  const byOutput: Record<string, Map<number, OutputState>> = {};
  for (const { output_id, channel, state } of outputs.states()) {
    (byOutput[output_id] ??= new Map()).set(channel, state);
  }
  return byOutput;
}
