import type { Device } from '../../../server/contract/device.ts';
import type { OutputOrigin } from '../../../server/contract/output.ts';
import type { Span } from '../../chart/night.ts';
import type { Translate } from '../../i18n/index.ts';
import { listedChannelName } from '../../ui/channel-name.ts';

/** An output channel whose states can be drawn. */
export interface OutputChannel {
  /** `device_id/channel` */
  key: string;
  device_id: string;
  channel: number;
  /** As in `Channel`. */
  house: string;
  device: string;
  name: string;
  /** On or off, and nothing between: no position and no duty cycle. */
  isSwitch: boolean;
}

/** Maximum number of strips under a chart. */
export const mostStrips = 8;

export function outputsOf(
  devices: readonly Device[],
  houses: ReadonlyMap<string, string>,
  t: Translate,
): OutputChannel[] {
  return devices
    .filter(({ kind }) => kind === 'output')
    .flatMap((device) =>
      device.channels.map((channel) => ({
        key: `${device.unique_id}/${channel.channel}`,
        device_id: device.unique_id,
        channel: channel.channel,
        house: houses.get(device.unique_id) ?? '',
        device: device.name,
        name: listedChannelName(device, channel, t) || device.name,
        isSwitch: channel.kind === 'switch' && channel.is_cycled !== true,
      })),
    );
}

/** %: 0 off, 100 on; null unknown. Epoch ms. */
export interface StateInterval extends Span {
  state: number | null;
}

/** When a state began, epoch ms, and who or what caused it; null when unknown. */
export interface StateSwitch {
  at_ms: number;
  state: number | null;
  origin: OutputOrigin | null;
}

/** What is read of an output; `states` in chronological order. */
export interface StripStates {
  states: readonly StateInterval[];
  /** False when the oldest are left out. */
  isComplete: boolean;
  /** Newest first. */
  switches: readonly StateSwitch[];
  /** False when the oldest are left out. */
  hasAllSwitches: boolean;
}

/** A strip to draw. */
export interface Strip extends Omit<OutputChannel, 'device_id' | 'channel'>, StripStates {}

export type StateKind = 'on' | 'position' | 'off' | 'unknown' | 'unrecorded';
export const stateKinds = ['on', 'position', 'off', 'unknown', 'unrecorded'] as const satisfies readonly StateKind[];

export function kindOf(state: number | null | undefined): StateKind {
  if (state === undefined) return 'unrecorded';
  if (state === null) return 'unknown';
  if (state === 0) return 'off';
  return state === 100 ? 'on' : 'position';
}

/** undefined when nothing was recorded. */
export function stateAt(states: readonly StateInterval[], atMs: number): number | null | undefined {
  return states.find(({ from_ms, to_ms }) => from_ms <= atMs && atMs < to_ms)?.state;
}

/** The switch behind the state at a moment; undefined when it is not in the list, or nothing was recorded then. */
export function switchAt({ states, switches }: Strip, atMs: number): StateSwitch | undefined {
  return stateAt(states, atMs) === undefined ? undefined : switches.find((one) => one.at_ms <= atMs);
}

/** From when on a strip says what was: its beginning, or where the states that it has begin. */
export function toldFrom({ states, isComplete }: Pick<Strip, 'states' | 'isComplete'>, span: Span): number {
  return isComplete ? span.from_ms : Math.max(span.from_ms, states[0]?.from_ms ?? span.to_ms);
}

/** The mean over recorded, known time, %: of a switch the share that it was on; null when there was none. */
export function meanState(states: readonly StateInterval[]): number | null {
  let [sum, known_ms] = [0, 0];
  for (const { from_ms, to_ms, state } of states) {
    if (state === null) continue;
    sum += state * (to_ms - from_ms);
    known_ms += to_ms - from_ms;
  }
  return known_ms === 0 ? null : sum / known_ms;
}

export interface Box {
  kind: Exclude<StateKind, 'unrecorded'>;
  x: number;
  width: number;
  /** Fraction of the height that is filled, 0 to 1. */
  fill: number;
}

/** So that a barely open vent is still visible. */
const leastFill = 0.3;

/** The place of the time that a strip tells of, in a width. */
export function toldBox(
  strip: Pick<Strip, 'states' | 'isComplete'>,
  span: Span,
  width_px: number,
): { x: number; width: number } {
  const x = (toldFrom(strip, span) - span.from_ms) * (width_px / (span.to_ms - span.from_ms));
  return { x, width: width_px - x };
}

/** The boxes of the states in a strip of a width; at least half a px wide each. */
export function boxesOf(states: readonly StateInterval[], span: Span, width_px: number): Box[] {
  const scale = width_px / (span.to_ms - span.from_ms);
  return states.flatMap(({ from_ms, to_ms, state }): Box[] => {
    const [from, to] = [Math.max(from_ms, span.from_ms), Math.min(to_ms, span.to_ms)];
    const kind = kindOf(state);
    if (to <= from || kind === 'unrecorded') return [];
    const box = { x: (from - span.from_ms) * scale, width: Math.max(0.5, (to - from) * scale) };
    return [{ ...box, kind, fill: Math.max(leastFill, (state ?? 100) / 100) }];
  });
}
