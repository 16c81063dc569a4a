import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { ActionOutcome } from '../../contract/action.ts';
import type { ControllerActivation, controllerEndpoints } from '../../contract/controller.ts';
import type { BodyOf } from '../../contract/endpoint.ts';
import { Refusal, refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { Input } from '../../contract/input.ts';
import type { Lcd, LcdCommanded } from '../../contract/lcd.ts';
import { dated, type DatedValue } from '../../contract/measurement.ts';
import type { StatusPair } from '../../contract/remote/parameters.ts';
import { commandFailure, type DaemonPort } from '../live/daemon-port.ts';
import { audited, failedWith } from './audited.ts';
import { actorName } from './output-command.ts';

interface ControllerOptions {
  inputs: { get(id: string): Pick<Input, 'name' | 'is_activated' | 'channels'> };
  lcds: { get(id: string): Pick<Lcd, 'name' | 'is_activated'> };
  /** Those that store the settings, for every kind. */
  keepers: readonly Keeper[];
  audit: AuditSink;
  daemon: DaemonPort;
}

/** Stores the settings of one kind. */
export interface Keeper {
  has(id: string): boolean;
  get(id: string): { is_activated: boolean };
  setActivated(actor: Actor, id: string, is_activated: boolean): void;
}

type ActionsAsked = BodyOf<typeof controllerEndpoints.act>;

/** One command to a display. */
type LcdAsked = { backlight: boolean } | { color: string } | { flash: boolean } | { reset: true };

/** Starts and stops controllers by id, and reads a sensor on request. */
export class ControllerService {
  readonly #options: ControllerOptions;

  constructor(options: ControllerOptions) {
    this.#options = options;
  }

  /**
   * Stores whether it should run, then has the daemon apply it. Throws `not_found`; `daemon_unreachable` and
   * `command_failed` if it was stored but the daemon did not apply it, or an output did not confirm its safe state.
   */
  async activate(actor: Actor, id: string, is_activated: boolean): Promise<ControllerActivation> {
    this.#keeperOf(id).setActivated(actor, id, is_activated);
    const [status, message] = await this.#ask(() => this.#options.daemon.controller_refresh(id));
    if (status !== 0) throw new Refusal('command_failed', message);
    return { controller_id: id, is_activated };
  }

  /** Stores an activation that a program made and the daemon has applied, so that it outlasts the next start. */
  note(actor: Actor, id: string, is_activated: boolean): void {
    const keeper = this.#options.keepers.find((one) => one.has(id));
    if (keeper !== undefined && keeper.get(id).is_activated !== is_activated)
      keeper.setActivated(actor, id, is_activated);
  }

  /**
   * Has an input read, and returns what was stored. Throws `not_found`, `not_active`, `command_failed` with the reason.
   */
  async forceMeasurement(id: string): Promise<DatedValue[]> {
    const { inputs, daemon } = this.#options;
    const input = inputs.get(id);
    if (!input.is_activated) throw new Refusal('not_active', `input "${input.name}" is not activated`);
    const [status, message] = await this.#ask(() => daemon.input_force_measurements(id));
    if (status !== 0) throw new Refusal('command_failed', message);
    const ids = input.channels.map(({ measurement_id }) => measurement_id);
    const read = await Promise.all(ids.map((one) => this.#ask(() => daemon.last_measurement(id, one))));
    return read.filter((reading) => reading !== null).map(dated);
  }

  /** Commands a display and returns its reply. Throws `not_found`, `not_active`, `command_failed`. */
  async commandLcd(actor: Actor, id: string, asked: LcdAsked): Promise<LcdCommanded> {
    const { lcds, daemon, audit } = this.#options;
    const lcd = lcds.get(id);
    if (!lcd.is_activated) throw new Refusal('not_active', `display "${lcd.name}" is not activated`);
    const [status, message] = await audited(() => askLcd(daemon, id, asked), {
      audit,
      kind: 'lcd.command',
      actor,
      target: id,
      asked,
      after: ([failed, told]) => (failed === 0 ? { message: told } : failedWith(told)),
    });
    if (status !== 0) throw new Refusal('command_failed', message);
    return { lcd_id: id, message };
  }

  /**
   * Runs actions of a running controller; returns how each ended. Throws `not_found`, `not_active`, `invalid_field`.
   */
  async act(actor: Actor, id: string, { action_id, value }: ActionsAsked): Promise<ActionOutcome[]> {
    const { daemon, audit } = this.#options;
    if (action_id === undefined && value !== undefined)
      throw refusePlainly('invalid_field', 'value', 'is for one action: name it by action_id');
    this.#requireAction(id, action_id);
    const by = actorName(actor);
    const given = value === undefined ? {} : { value };
    const call = async (): Promise<ActionOutcome[]> =>
      action_id === undefined
        ? daemon.trigger_all_actions(id, '', false, by)
        : [await daemon.trigger_action(action_id, given, false, by)];
    return audited(call, {
      audit,
      kind: 'controller.act',
      actor,
      target: id,
      asked: { ...(action_id !== undefined && { action_id }), ...given },
      after: (results) => ({ results: results.map(({ name, outcome, message }) => ({ name, outcome, message })) }),
    });
  }

  #requireAction(id: string, action_id: string | undefined): void {
    const keeper = this.#keeperOf(id);
    const settings: { is_activated: boolean; actions?: readonly { unique_id: string }[] } = keeper.get(id);
    if (settings.actions === undefined) throw new Refusal('not_found', 'it has no actions');
    if (action_id !== undefined && !settings.actions.some(({ unique_id }) => unique_id === action_id))
      throw refuseField('unknown_reference', 'action_id', why('no_such_action'));
    if (!settings.is_activated) throw new Refusal('not_active', 'it is not activated');
  }

  #keeperOf(id: string): Keeper {
    const keeper = this.#options.keepers.find((one) => one.has(id));
    if (keeper === undefined) throw new Refusal('not_found', 'no such controller');
    return keeper;
  }

  async #ask<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    try {
      return await call();
    } catch (error) {
      throw commandFailure(error);
    }
  }
}

function askLcd(daemon: DaemonPort, id: string, asked: LcdAsked): Promise<StatusPair> {
  if ('backlight' in asked) return daemon.lcd_backlight(id, asked.backlight);
  if ('color' in asked) return daemon.display_backlight_color(id, asked.color);
  if ('flash' in asked) return daemon.lcd_flash(id, asked.flash);
  return daemon.lcd_reset(id);
}
