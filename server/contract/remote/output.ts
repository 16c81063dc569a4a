import { z } from 'zod';
import { outputCommand } from '../daemon.ts';
import { outcome, outputChannelState, outputState } from '../output.ts';
import { optional, remoteMethod, required } from './method.ts';
import { byActor, id, outputChannel, statusPair } from './parameters.ts';

const outputId = required('output_id', id);
const outputType = optional('output_type', z.enum(['sec', 'pwm', 'vol', 'value']).nullable(), 'sec');
const number = z.number().min(0).max(1_000_000);
/** In s, %, ml or the unit of the output, by its type. */
const amount = optional('amount', number, 0);
/**
 * Accepted for programs that send it; there are no monitors of state changes to suppress. Any other value is a mistake,
 * such as a channel in its place, and must not switch another channel.
 */
const triggers = optional('trigger_conditionals', z.boolean(), true);

/** Serpent keeps channel numbers as numbers, JSON does not. */
const byChannel = z.union([
  z.map(z.int(), outputState).transform((states) => Object.fromEntries(states)),
  z.record(z.string(), outputState),
]);

const commandAnswer = z.object({
  outcome,
  code: z.string().optional().describe('Why it was not confirmed; cannot_answer marks a device that never answers'),
  message: z.string(),
  state: outputChannelState,
  cursor: z.string().optional().describe('Id of the newest event at that moment: the events up to it are in the state'),
});
/** The daemon's answer to a command. */
export type CommandAnswer = z.infer<typeof commandAnswer>;

const overrideRelease = z.object({
  released: z.boolean().describe('false when there was no manual command'),
  state: outputChannelState,
});
export type OverrideRelease = z.infer<typeof overrideRelease>;

/**
 * Switching and reading outputs, as Python programs call it (the last automatic command wins) and as the service does.
 */
export const outputMethods = {
  output_on: remoteMethod({
    does: 'turn an output on; amount in s (sec), % (pwm), ml (vol)',
    access: 'network',
    parameters: [outputId, outputType, amount, optional('min_off', number, 0), triggers, outputChannel],
    answer: statusPair,
  }),
  output_off: remoteMethod({
    does: 'turn an output off',
    access: 'network',
    parameters: [outputId, triggers, outputChannel],
    answer: statusPair,
  }),
  output_on_off: remoteMethod({
    does: 'turn an output on or off',
    access: 'network',
    parameters: [outputId, required('state', z.enum(['on', 'off'])), outputType, amount, outputChannel],
    answer: statusPair,
  }),
  output_state: remoteMethod({
    does: 'on, off, a duty cycle in %, or unknown',
    access: 'network',
    parameters: [outputId, outputChannel],
    answer: outputState,
  }),
  output_sec_currently_on: remoteMethod({
    does: 'seconds since it went on',
    access: 'network',
    parameters: [outputId, outputChannel],
    answer: z.number(),
  }),
  output_states_all: remoteMethod({
    does: 'the state of every channel of every output at work',
    access: 'network',
    parameters: [],
    answer: z.record(z.string(), byChannel),
  }),
  output_setup: remoteMethod({
    does: 'Add, Modify or Delete an output in the daemon',
    access: 'loopback',
    parameters: [required('action', z.enum(['Add', 'Delete', 'Modify'])), outputId],
    answer: statusPair,
    actsOn: 'output_id',
  }),
  /** Answers within 2 s; a later end comes as an event. */
  output_command: remoteMethod({
    does: 'command an output with everything that REST can say',
    access: 'network',
    parameters: [required('command', outputCommand.extend({ output_id: id }))],
    answer: commandAnswer,
  }),
  override_release: remoteMethod({
    does: 'end a manual override; what waited takes effect, else the safe state',
    access: 'network',
    parameters: [outputId, outputChannel, byActor],
    answer: overrideRelease,
    actsOn: 'output_id',
  }),
};
