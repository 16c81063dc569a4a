import { z } from 'zod';
import { outputCommand } from '../../contract/daemon.ts';
import type { OutputCommand } from '../../contract/daemon.ts';
import type { OutputState } from '../../contract/output.ts';
import type { RemoteMethod } from '../../remote/method.ts';
import type { Activation } from '../activation.ts';
import type { Outputs } from '../controllers/output/outputs.ts';
import type { EventRing } from '../events.ts';
import { statusPair } from '../outcomes.ts';
import { actorOf, outsideActor } from './access.ts';
import { id, method, optionalChannel, parse, question } from './arguments.ts';
import { RemoteFailure } from './failure.ts';

const amount = z.number().min(0).max(1_000_000);
const outputType = z.enum(['sec', 'pwm', 'vol', 'value']).nullable();
const optionalSecond = { name: 'output_channel', default: null };
const type = { name: 'output_type', default: 'sec' };
const noAmount = { name: 'amount', default: 0 };
/** Accepted for the programs that send it; there are no monitors of state changes to hold back. */
const triggers = { name: 'trigger_conditionals', default: true };
/** Anything else is a mistake, such as a channel in its place, and must not switch another channel. */
const trigger_conditionals = z.boolean();

/** Sources that a caller may name; emergency stop and safety speak for themselves. */
const callerSources: readonly unknown[] = ['manual', 'commissioning', 'automatic', undefined];

type Amounts = Pick<OutputCommand, 'duration_s' | 'duty_cycle_pct' | 'value' | 'volume_ml'>;

function amountsOf(kind: z.infer<typeof outputType>, given: number): Amounts {
  if (kind === 'pwm') return { duty_cycle_pct: given };
  if (kind === 'value') return { value: given };
  if (kind === 'vol') return { volume_ml: given };
  return given > 0 ? { duration_s: given } : {};
}

const onArguments = z.object({
  output_id: id,
  output_type: outputType,
  amount,
  min_off: amount,
  trigger_conditionals,
  output_channel: optionalChannel,
});

type TurnOn = Omit<z.output<typeof onArguments>, 'trigger_conditionals'>;

interface OutputParts {
  outputs: Outputs;
  activation: Activation;
  events: Pick<EventRing, 'cursor'>;
}

/** Switching and reading outputs, as Python programs call it (the last automatic command wins) and as the service does. */
export function outputMethods({ outputs, activation, events }: OutputParts): Record<string, RemoteMethod> {
  const channelOf = (outputId: string, number: number | null | undefined) => {
    activation.require('Output', outputId);
    return outputs.channel(outputId, number ?? undefined);
  };
  const automatic = async (command: Omit<OutputCommand, 'source' | 'actor'>): Promise<[number, string]> => {
    activation.require('Output', command.output_id);
    const checked = parse(outputCommand, { ...command, source: 'automatic', actor: outsideActor });
    return statusPair(await outputs.command(checked));
  };
  const turnOn = ({ output_id, output_type, amount: given, min_off, output_channel }: TurnOn) =>
    automatic({
      output_id,
      state: true,
      ...amountsOf(output_type, given),
      ...(min_off > 0 && { min_off_s: min_off }),
      ...channelMember(output_channel),
    });
  const turnOff = (output_id: string, channel: number | null | undefined) =>
    automatic({ output_id, state: false, ...channelMember(channel) });

  return {
    output_on: method({
      parameters: ['output_id', type, noAmount, { name: 'min_off', default: 0 }, triggers, optionalSecond],
      schema: onArguments,
      run: turnOn,
    }),
    output_off: method({
      parameters: ['output_id', triggers, optionalSecond],
      schema: z.object({ output_id: id, trigger_conditionals, output_channel: optionalChannel }),
      run: ({ output_id, output_channel }) => turnOff(output_id, output_channel),
    }),
    output_on_off: method({
      parameters: ['output_id', 'state', type, noAmount, optionalSecond],
      schema: onArguments.omit({ min_off: true, trigger_conditionals: true }).extend({ state: z.enum(['on', 'off']) }),
      run: (args) =>
        args.state === 'on' ? turnOn({ ...args, min_off: 0 }) : turnOff(args.output_id, args.output_channel),
    }),
    output_state: method({
      parameters: ['output_id', optionalSecond],
      schema: z.object({ output_id: id, output_channel: optionalChannel }),
      run: async ({ output_id, output_channel }) => channelOf(output_id, output_channel).state().state,
    }),
    output_sec_currently_on: method({
      parameters: ['output_id', optionalSecond],
      schema: z.object({ output_id: id, output_channel: optionalChannel }),
      run: async ({ output_id, output_channel }) => channelOf(output_id, output_channel).state().on_seconds ?? 0,
    }),
    output_states_all: question(() => statesByChannel(outputs)),
    output_setup: method({
      parameters: ['action', 'output_id'],
      schema: z.object({ action: z.enum(['Add', 'Delete', 'Modify']), output_id: id }),
      run: ({ action, output_id }) => activation.setUpOutput(action, output_id),
    }),
    output_command: method({
      parameters: ['command'],
      schema: z.object({ command: outputCommand.extend({ output_id: id }) }),
      run: async ({ command }, call) => {
        if (!callerSources.includes(command.source)) throw notForCallers(command.source);
        activation.require('Output', command.output_id);
        const answer = await outputs.command({ ...command, actor: actorOf(call, command.actor) });
        return { ...answer, cursor: events.cursor };
      },
    }),
    override_release: method({
      parameters: ['output_id', optionalSecond, { name: 'actor', default: outsideActor }],
      schema: z.object({ output_id: id, output_channel: optionalChannel, actor: z.string().max(200).nullable() }),
      run: async ({ output_id, output_channel, actor }, call) => {
        const channel = channelOf(output_id, output_channel);
        return { released: await channel.releaseManual(actorOf(call, actor)), state: channel.state() };
      },
    }),
  };
}

function channelMember(channel: number | null | undefined): { channel?: number } {
  return channel == null ? {} : { channel };
}

function notForCallers(source: unknown): RemoteFailure {
  return new RemoteFailure('invalid_argument', `command.source: ${String(source)} cannot be named by a caller`);
}

/** Integer keys, which serpent keeps and json writes as text. */
function statesByChannel(outputs: Outputs): Record<string, Map<number, OutputState>> {
  const byOutput: Record<string, Map<number, OutputState>> = {};
  for (const { output_id, channel, state } of outputs.states()) {
    (byOutput[output_id] ??= new Map()).set(channel, state);
  }
  return byOutput;
}
