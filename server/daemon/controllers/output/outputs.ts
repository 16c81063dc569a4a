import type { Cause } from '../../../contract/cause.ts';
import type { ControllerStatus, LiveState, OutputCommand } from '../../../contract/daemon.ts';
import { isDone, isOn } from '../../../contract/output-state.ts';
import type { Output, OutputChannelState, OutputRef } from '../../../contract/output.ts';
import type { OutputStateRow } from '../../../db/repositories/output-state.ts';
import type { ControlState } from '../../store/control-store.ts';
import type { EventRing } from '../../events/events.ts';
import type { Result } from '../../drivers/outcomes.ts';
import type { EmergencyStop } from '../../../contract/safety.ts';
import { phaseOf } from '../../grid.ts';
import { RemoteFailure } from '../../../contract/remote/failure.ts';
import type { SiteView } from '../../safety/gate.ts';
import type { Safety } from '../../safety/safety.ts';
import type { Ended } from './channel-host.ts';
import type { ControlledChannel } from './output-channel.ts';
import type { ChannelCommand } from './channel-demand.ts';
import { OutputController, type OutputHost } from './output.ts';
import { toChannelCommand } from './output-request.ts';

export interface OutputsOptions extends Pick<
  OutputHost,
  'alarms' | 'clock' | 'store' | 'connect' | 'log' | 'watchdog'
> {
  events: EventRing;
  safety: Pick<Safety, 'gate' | 'emergency' | 'plan' | 'refresh'>;
}

/** How a command ended, with the state of the channel afterwards. */
export interface CommandAnswer extends Result {
  state: OutputChannelState;
}

/** All running outputs and everything that spans them: commands by id, the gate's view, interlocks. */
export class Outputs implements SiteView {
  readonly #options: OutputsOptions;
  readonly #running = new Map<string, OutputController>();
  #added = 0;
  /** Which controller drives a channel. */
  readonly #drivers = new Map<string, string>();

  constructor(options: OutputsOptions) {
    this.#options = options;
  }

  /**
   * Takes up control of the outputs that should run; resolves after the first attempt on each. Held back, they only
   * stay safe.
   */
  async start(outputs: readonly Output[], left: ControlState, isHeldBack = false): Promise<void> {
    const start = { rows: left.outputs, isSafeFirst: isHeldBack || !left.ended_orderly, isHeldBack };
    const added = outputs.map((output) => this.#add(output));
    const takeUp = async (controller: OutputController): Promise<void> => {
      await controller.start(start);
      this.#publishStatus(controller.status()); // alarms that the last daemon left know nothing of this one
    };
    await Promise.all(added.map(takeUp));
  }

  /** Takes what the last daemon left when it is read late: overrides come back unless there was a newer command. */
  recall(rows: readonly OutputStateRow[]): void {
    for (const row of rows) this.#running.get(row.output_id)?.channel(row.channel)?.recall(row);
  }

  /** Stops holding them back: overrides and startup states come back. */
  comeBack(): void {
    for (const { channel } of this.#eachChannel()) channel.comeBack();
  }

  /**
   * Ends all control; `isSafeForced` overrules outputs that are configured to be left as they are. False when one is
   * not where it should be.
   */
  async stop(isSafeForced: boolean): Promise<boolean> {
    const left = await Promise.all([...this.#running.values()].map((controller) => controller.stop(isSafeForced)));
    return left.every((isThere) => isThere);
  }

  has(id: string): boolean {
    return this.#running.has(id);
  }

  /** Starts an output that was not running: safe first, then its startup state. */
  async activate(output: Output): Promise<void> {
    if (this.#running.has(output.unique_id)) return;
    const { outputs: rows } = await this.#options.store.load();
    const controller = this.#add(output);
    await controller.start({ rows, isSafeFirst: true });
    this.#publishStatus(controller.status());
  }

  /** Drives an output safe and releases it in any case; false when its device did not confirm that it is safe. */
  async deactivate(id: string): Promise<boolean> {
    const controller = this.#running.get(id);
    this.#running.delete(id);
    if (controller === undefined) return true;
    const isSafe = await controller.stop(true);
    this.#publishStatus({ ...controller.status(), state: 'stopped' });
    return isSafe;
  }

  async reconfigure(output: Output): Promise<void> {
    await this.#running.get(output.unique_id)?.reconfigure(output);
  }

  /**
   * Carries out a command, or keeps it as its controller asks; see the outcomes of the contract. Throws RemoteFailure
   * `not_active` and `invalid_argument`.
   */
  async command(request: OutputCommand, keep?: ChannelCommand['keep']): Promise<CommandAnswer> {
    const channel = this.channel(request.output_id, request.channel);
    const { clock, safety } = this.#options;
    // A limit or binding that was saved before the command was sent applies to it.
    safety.refresh();
    const isDriven = this.#drivers.has(keyOf(request.output_id, channel.settings.channel));
    const hold_s = isDriven ? safety.plan.manual_hold_s : undefined;
    const command = toChannelCommand(request, { channel: channel.settings, clock, hold_s });
    const result = await channel.command(keep === undefined ? command : { ...command, keep });
    return { ...result, state: channel.state() };
  }

  /**
   * Registers a controller as the driver of a channel. Returns the controller that already drives it, else undefined.
   */
  drive(controllerId: string, outputId: string, channel: number): string | undefined {
    const key = keyOf(outputId, channel);
    const owner = this.#drivers.get(key);
    if (owner !== undefined && owner !== controllerId) return owner;
    this.#drivers.set(key, controllerId);
    return undefined;
  }

  /** The controller no longer drives anything; its channels, and others that it switched, are driven safe. */
  async letGo(controllerId: string, others: readonly OutputRef[] = []): Promise<void> {
    const own = this.#drivenBy(controllerId);
    for (const { key } of own) this.#drivers.delete(key);
    const switched = others.flatMap(({ output_id, channel: number }) => {
      const channel = this.#running.get(output_id)?.channel(number);
      return channel === undefined ? [] : [{ channel }];
    });
    await makeSafe([...own, ...switched], `end of ${controllerId}`);
  }

  /** The controller no longer drives this channel, which goes safe; its others stay as they are. */
  async release(controllerId: string, output_id: string, number: number): Promise<void> {
    const wanted = keyOf(output_id, number);
    const own = this.#drivenBy(controllerId).filter(({ key }) => key === wanted);
    this.#drivers.delete(wanted);
    await makeSafe(own, `end of ${controllerId}`);
  }

  /** The controller does not know what to do: its channels are driven safe and remain its own. */
  async driveSafe(controllerId: string, actor: string): Promise<void> {
    await makeSafe(this.#drivenBy(controllerId), actor);
  }

  #drivenBy(controllerId: string) {
    return this.#eachChannel().filter(({ key }) => this.#drivers.get(key) === controllerId);
  }

  /** Drives every channel safe at once and returns the result of each, within 2 s. */
  async stopNow(): Promise<EmergencyStop['outputs']> {
    const channels = this.#eachChannel();
    const results = await Promise.all(channels.map(({ channel }) => channel.stopNow()));
    return channels.map(({ output_id, channel }, index) => {
      const { outcome, message } = results[index] ?? { outcome: 'failed', message: '' };
      return { output_id, channel: channel.settings.channel, outcome, message };
    });
  }

  /** How far each channel is known to be in its safe state. */
  safeOutcomes(): EmergencyStop['outputs'] {
    return this.#eachChannel().map(({ output_id, channel }) => {
      const { outcome, message } = channel.safeOutcome();
      return { output_id, channel: channel.settings.channel, outcome, message };
    });
  }

  /** Whether every channel is in its safe state, as far as its device can tell. */
  areSafe(): boolean {
    return this.#eachChannel().every(({ channel }) => isDone(channel.safeOutcome()));
  }

  /** Called before the emergency stop ends: no channel returns to its former command. */
  async stayStopped(): Promise<void> {
    await Promise.all(this.#eachChannel().map(({ channel }) => channel.stayStopped()));
  }

  /** The emergency stop no longer holds anything. */
  stopEnded(): void {
    for (const { channel } of this.#eachChannel()) channel.stopEnded();
  }

  /** Decides anew what every channel should be. */
  reconsider(): void {
    for (const { channel } of this.#eachChannel()) channel.reconsider();
  }

  /** The channel of a running output, by default the lowest. Throws RemoteFailure. */
  channel(outputId: string, number?: number): ControlledChannel {
    const controller = this.#running.get(outputId);
    if (controller === undefined) throw new RemoteFailure('not_active', `output ${outputId} is not active`);
    const channel = controller.channel(number);
    if (channel === undefined) throw new RemoteFailure('invalid_argument', `output ${outputId} has no such channel`);
    return channel;
  }

  /** undefined when the channel is not running. */
  stateOf({ output_id, channel }: OutputRef): OutputChannelState | undefined {
    return this.#running.get(output_id)?.channel(channel)?.state();
  }

  /** Whether this controller made the automatic claim of a channel, in effect or waiting for a stronger one. */
  isCommandedBy(controllerId: string, { output_id, channel }: OutputRef): boolean {
    return this.#running.get(output_id)?.channel(channel)?.automaticCause?.unique_id === controllerId;
  }

  /**
   * The cause that the controller stated for the automatic claim of a channel, in effect or waiting for a stronger one.
   */
  automaticCauseOf({ output_id, channel }: OutputRef): Cause | undefined {
    return this.#running.get(output_id)?.channel(channel)?.automaticCause;
  }

  exposurePct(outputId: string, channel: number): number {
    return this.#running.get(outputId)?.channel(channel)?.exposurePct() ?? Infinity;
  }

  currentBeside(outputId: string, channel: number): number {
    const own = keyOf(outputId, channel);
    return this.#eachChannel().reduce((sum, one) => (one.key === own ? sum : sum + one.channel.drawA()), 0);
  }

  states(): LiveState['outputs'] {
    return [...this.#running.values()].flatMap((controller) =>
      controller.channels().map((channel) => ({ output_id: controller.id, ...channel.state() })),
    );
  }

  statuses(): ControllerStatus[] {
    return [...this.#running.values()].map((controller) => controller.status());
  }

  #add(output: Output): OutputController {
    const { alarms, clock, store, connect, log, safety, watchdog } = this.#options;
    const controller = new OutputController(output, {
      alarms,
      clock,
      store,
      connect,
      log,
      watchdog,
      gate: safety.gate,
      emergency: safety.emergency,
      site: this,
      phase: phaseOf(this.#added),
      channelChanged: (id, state, ended) => this.#channelChanged(id, state, ended),
      overrideEnded: (output_id, ended) => this.#options.events.push({ kind: 'override', output_id, ...ended }),
      statusChanged: (status) => this.#publishStatus(status),
    });
    this.#added += 1;
    this.#running.set(output.unique_id, controller);
    return controller;
  }

  #channelChanged(outputId: string, state: OutputChannelState, ended?: Ended): void {
    this.#options.events.push({
      kind: 'output',
      output_id: outputId,
      ...state,
      ...ended,
    });
    const { interlocks, max_current_a } = this.#options.safety.plan;
    for (const row of interlocks) {
      const isWatched = row.while_output_id === outputId && row.while_channel === state.channel;
      if (isWatched) this.#running.get(row.forbids_output_id)?.channel(row.forbids_channel)?.reconsider();
    }
    if (max_current_a === null || state.pending || isOn(state.contact ?? state.state)) return;
    // There may now be room for what waits.
    for (const { channel } of this.#eachChannel()) if (channel.settings.current_a !== null) channel.reconsider();
  }

  #eachChannel(): { key: string; output_id: string; channel: ControlledChannel }[] {
    return [...this.#running.values()].flatMap((controller) =>
      controller.channels().map((channel) => {
        const output_id = controller.id;
        return { key: keyOf(output_id, channel.settings.channel), output_id, channel };
      }),
    );
  }

  #publishStatus(status: ControllerStatus): void {
    this.#options.events.push({ kind: 'controller', ...status });
  }
}

function keyOf(outputId: string, channel: number): string {
  return `${outputId}/${channel}`;
}

async function makeSafe(driven: readonly { channel: ControlledChannel }[], actor: string): Promise<void> {
  await Promise.all(
    driven.map(({ channel }) => {
      const { safe_state: value } = channel.settings;
      return channel.command({ source: 'automatic', actor, value, hold: 'next_command' });
    }),
  );
}
