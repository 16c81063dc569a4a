import { isDone } from '../../contract/output-state.ts';
import type { UnderTest } from '../../db/repositories/commissioning.ts';
import type { ControlledChannel } from '../controllers/output/output-channel.ts';
import type { Outputs } from '../controllers/output/outputs.ts';

/** The present state of a channel and its source, to return to; the safe state when the state is unknown. */
export function formerState(outputId: string, channel: ControlledChannel): UnderTest {
  const { state, source, until } = channel.state();
  const { safe_state, channel: number } = channel.settings;
  // A timed command ends by its channel's own count; its claim waits below the check.
  return { output_id: outputId, channel: number, former: state ?? safe_state, source: until === null ? source : null };
}

/**
 * Brings a channel back and releases it: a claim that waits below the check takes effect by itself, a command given
 * meanwhile stays. False when the device did not confirm it. Throws RemoteFailure when the output is gone.
 */
export async function bringBack(outputs: Outputs, under: UnderTest): Promise<boolean> {
  const channel = outputs.channel(under.output_id, under.channel);
  const { source, wanted } = channel.state();
  if (source !== 'commissioning' && source !== 'safety') {
    await channel.release('commissioning');
    return true;
  }
  if (source === 'commissioning' && wanted !== null) {
    await channel.release('commissioning');
    return channel.state().state === wanted;
  }
  return restore(channel, under);
}

/**
 * After a restart everything was driven safe and overrides have come back. A channel without a command gets its former
 * state; a controller that drove it commands it by itself.
 */
export async function bringBackAfterStart(outputs: Outputs, under: UnderTest): Promise<boolean> {
  const channel = outputs.channel(under.output_id, under.channel);
  if (channel.state().source !== null || under.source === 'automatic') return true;
  return restore(channel, under);
}

async function restore(channel: ControlledChannel, { former: value }: UnderTest): Promise<boolean> {
  const command = { value, actor: 'commissioning', reason: 'former state' };
  // A relay keeps a duty cycle only while a claim asks for it.
  const isCycle = channel.settings.kind === 'switch' && typeof value === 'number';
  const claim = isCycle
    ? ({ source: 'manual', hold: 'next_command' } as const)
    : ({ source: 'commissioning', hold: 'released' } as const);
  const result = await channel.command({ ...command, ...claim });
  await channel.release('commissioning');
  return isDone(result);
}
