import { deviceSays } from '../../../contract/device-words.ts';
import type { Action, ActionKind, ActionOf, ActionResult } from '../../../contract/action.ts';
import type { FunctionCommand } from '../../../contract/functions/definition.ts';
import type { Cause } from '../../../contract/cause.ts';
import type { Reason } from '../../../contract/reason.ts';
import { messageOf } from '../../../contract/message-of.ts';
import type { Outputs } from '../output/outputs.ts';
import type { AlarmPort } from '../../alarms/alarms.ts';
import { raiseable } from '../../alarms/alarm-key.ts';
import type { AskedErrand, Errands } from './errands.ts';

/** Which controller acts, by which rule and on which numbers. */
export interface ActionCause {
  controller_id: string;
  /** The word of its kind. */
  word: string;
  name: string;
  /** In English. */
  because: string;
  reason: Reason;
  /** The same in the language of the site. */
  said: string;
  /** Name of the action. */
  action: string;
}

/** What actions can do to a PID. */
interface TunablePid {
  tell(command: 'hold' | 'pause' | 'resume'): Promise<unknown>;
  /** Takes effect with a step at once. Throws RemoteFailure `invalid_argument` for a method of another unit. */
  tune(change: { setpoint: number } | { method_id: string }): Promise<void>;
  /** Unit of its measurement; empty before the first reading. */
  readonly unit: string;
}

/** What actions act on. */
export interface ActionSite {
  outputs: Pick<Outputs, 'command'>;
  alarms: AlarmPort;
  /** A running PID; throws RemoteFailure `not_active`. */
  pid: (pidId: string) => TunablePid;
  /** Activates or deactivates a controller, as a program may; status 0 is success. */
  activate: (controllerId: string, isActive: boolean) => Promise<readonly [status: number, message: string]>;
  /**
   * Runs a command that the function's kind declares; resolves with the error message, null on success. Throws
   * RemoteFailure `not_active`.
   */
  function: (functionId: string, command: FunctionCommand) => Promise<string | null>;
  /**
   * Controls a display; resolves with the error message, null when the display took it. Throws RemoteFailure
   * `not_active`.
   */
  lcd: (lcdId: string, does: LcdDeed) => Promise<string | null>;
  errands: Pick<Errands, 'handOver'>;
}

/** What a display can do. */
type LcdDeed = { backlight: boolean } | { flash: boolean } | { color: string } | 'reset';

/** The number or boolean with which a statement runs an action. */
export type ActionValue = number | boolean | undefined;

type Run<Kind extends ActionKind> = (
  action: ActionOf<Kind>,
  context: { site: ActionSite; cause: ActionCause; value: ActionValue },
) => Promise<ActionResult>;

/** Every kind of action and what it does. */
const actionList: { [Kind in ActionKind]: Run<Kind> } = {
  output: async (action, { site, cause, value }) => {
    const { unique_id: _id, name: _name, kind: _kind, ...request } = action;
    const { outcome, message } = await site.outputs.command({
      ...withValue(request, value),
      source: 'automatic',
      actor: actorOf(cause),
      reason: cause.because,
      cause: causeOf(cause),
    });
    return { outcome, message };
  },
  controller: async ({ controller_id, activate }, { site, cause, value }) => {
    if (controller_id === cause.controller_id) return { outcome: 'blocked', message: deviceSays('own_switch') };
    const [status, message] = await site.activate(controller_id, typeof value === 'boolean' ? value : activate);
    return { outcome: status === 0 ? 'confirmed' : 'failed', message };
  },
  pid: async ({ pid_id, command }, { site }) => {
    await site.pid(pid_id).tell(command);
    return { outcome: 'confirmed', message: command };
  },
  setpoint: async ({ pid_id, setpoint }, { site, value }) => {
    const wanted = typeof value === 'number' ? value : setpoint;
    const pid = site.pid(pid_id);
    await pid.tune({ setpoint: wanted });
    return { outcome: 'confirmed', message: `setpoint ${wanted} ${pid.unit}`.trimEnd() };
  },
  method: async ({ pid_id, method_id }, { site }) => {
    await site.pid(pid_id).tune({ method_id });
    return { outcome: 'confirmed', message: `method ${method_id}` };
  },
  command: async ({ function_id: id, command }, { site, cause }) => {
    if (id === cause.controller_id) return { outcome: 'blocked', message: deviceSays('own_command') };
    const failure = await site.function(id, command);
    return failure === null ? { outcome: 'confirmed', message: command } : { outcome: 'failed', message: failure };
  },
  alarm: async ({ unique_id, severity, text, raise }, { site, cause, value }) => {
    const key = { code: 'custom', source_id: cause.controller_id, name: unique_id } as const;
    if (value === false || (value === undefined && !raise)) {
      site.alarms.clear(key);
      return { outcome: 'confirmed', message: 'ended' };
    }
    const about = { source_kind: 'controller', source_name: cause.name } as const;
    const number = typeof value === 'number' ? { value } : {};
    site.alarms.raise(
      raiseable({ ...key, ...about, ...number, severity, message: `${text}: ${cause.said}`.slice(0, 500) }),
    );
    return { outcome: 'confirmed', message: 'raised' };
  },
  note: async ({ text, category = null }, context) =>
    handOver(context, { keep_s: note_s, task: { kind: 'note', text: filled(text, context), category } }),
  message: async ({ target_id, text, keep_s = day_s }, context) =>
    handOver(context, { keep_s, task: { kind: 'message', target_id, text: filled(text, context) } }),
  mqtt: async ({ target_id, topic = null, payload, keep_s = short_s }, context) => {
    const said = payload === undefined ? null : filled(payload, context);
    return handOver(context, { keep_s, task: { kind: 'mqtt', target_id, topic, payload: said } });
  },
  webhook: async ({ target_id, text, keep_s = short_s }, context) => {
    const said = text === undefined ? null : filled(text, context);
    return handOver(context, { keep_s, task: { kind: 'webhook', target_id, text: said } });
  },
  lcd: async ({ lcd_id, does, color }, { site, value }) => {
    const failure = await site.lcd(lcd_id, lcdDeed(does, color, value));
    return failure === null
      ? { outcome: 'confirmed', message: 'the display took it' }
      : { outcome: 'failed', message: failure };
  },
};

const day_s = 86_400;
/** How long a message to a machine is of use, s. */
const short_s = 300;
/** How long a note is kept until the service is back to write it, s. */
const note_s = day_s;

type Context = Parameters<Run<ActionKind>>[1];

function handOver({ site, cause, value }: Context, errand: Pick<AskedErrand, 'keep_s' | 'task'>): ActionResult {
  return site.errands.handOver({ ...errand, cause: causeOf(cause), action: cause.action, value: value ?? null });
}

/** Fills in the placeholders of a text. */
function filled(text: string, { cause, value }: Context): string {
  const said = { value: value === undefined ? '' : String(value), because: cause.said };
  return text.replace(/\{(value|because)\}/g, (_, name: keyof typeof said) => said[name]).slice(0, 4_000);
}

/** A boolean decides whether the display lights up or flashes. */
function lcdDeed(does: ActionOf<'lcd'>['does'], color = '#ffffff', value?: ActionValue): LcdDeed {
  if (does === 'reset') return 'reset';
  if (does === 'color') return { color };
  const isOn = typeof value === 'boolean' ? value : does.endsWith('_on');
  return does.startsWith('light') ? { backlight: isOn } : { flash: isOn };
}

function causeOf({ controller_id: unique_id, word: kind, name, because, reason }: ActionCause): Cause {
  return { kind, unique_id, name, because, reason };
}

/** The actor as states, events and journals name it. */
function actorOf({ word, name }: Pick<ActionCause, 'word' | 'name'>): string {
  return `${word} ${name}`.slice(0, 200);
}

type OutputAction = Omit<ActionOf<'output'>, 'unique_id' | 'name' | 'kind'>;
const amounts = ['duration_s', 'volume_ml', 'value', 'duty_cycle_pct'] as const;

/**
 * A boolean sets the state, a number the amount of the kind that the action names, by default a duty cycle. 0 is off.
 */
function withValue(request: OutputAction, value: ActionValue): OutputAction {
  if (value === undefined) return request;
  const { duration_s: _d, volume_ml: _v, value: _value, duty_cycle_pct: _p, ...bare } = request;
  if (value === false || (typeof value === 'number' && value <= 0)) return { ...bare, state: false };
  if (value === true) return { ...request, state: true };
  const amount = amounts.find((one) => request[one] !== undefined) ?? 'duty_cycle_pct';
  const most = amount === 'value' || amount === 'duty_cycle_pct' ? 100 : amount === 'duration_s' ? 86_400 : 1_000_000;
  return { ...bare, state: true, [amount]: Math.min(value, most) };
}

/** Runs one action of any kind. Never throws: an error becomes the message of the result. */
export async function runAction(
  action: Action,
  context: { site: ActionSite; cause: ActionCause; value?: ActionValue },
): Promise<ActionResult> {
  const run = actionList[action.kind] as Run<ActionKind>; // the list has the run of this kind under its name
  try {
    return await run(action, { value: undefined, ...context });
  } catch (error) {
    return { outcome: 'failed', message: messageOf(error) };
  }
}
