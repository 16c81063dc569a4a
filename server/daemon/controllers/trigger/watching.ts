import type { Trigger, TriggerOf } from '../../../contract/trigger.ts';
import { crossing, lasting, type Edge, type Lasting, type Side } from '../../../domain/control/triggers/crossing.ts';
import { crossingReason, lastingReason } from '../../../domain/control/triggers/reasons.ts';
import type { Reason } from '../../../contract/reason.ts';
import type { Clock } from '../../clock.ts';
import type { LiveValues } from '../../events/live-values.ts';
import type { Outputs } from '../output/outputs.ts';
import { isOn } from '../../../contract/output-state.ts';

/** What triggers watch. */
export interface WatchSite {
  clock: Clock;
  live: Pick<LiveValues, 'last'>;
  outputs: Pick<Outputs, 'stateOf'>;
}

/**
 * Checks once: the reason if the trigger must act, else null, or `blind` when its measurement has been silent for too
 * long.
 */
export type Look = () => Reason | 'blind' | null;

/** The triggers that watch for an event. */
export type WatchingTrigger = TriggerOf<'edge' | 'output' | 'output_pwm'>;

export function isWatching(trigger: Trigger): trigger is WatchingTrigger {
  return trigger.kind === 'edge' || trigger.kind === 'output' || trigger.kind === 'output_pwm';
}

/** Returns the check of a trigger, which remembers what it saw. */
export function lookOf(trigger: WatchingTrigger, site: WatchSite): Look {
  switch (trigger.kind) {
    case 'edge': {
      const { device_id, measurement_id, max_age_s } = trigger.measurement;
      const look = crossingLook({ ...trigger, hysteresis: trigger.hysteresis ?? 0 }, () => {
        const last = site.live.last(device_id, measurement_id, max_age_s);
        return last?.quality === 'good' && last.value !== null ? { value: last.value, unit: last.unit } : null;
      });
      return sighted(look, max_age_s, site.clock);
    }
    case 'output_pwm':
      return told(crossingLook({ ...trigger, hysteresis: 0 }, () => dutyOf(trigger.output, site)));
    case 'output':
      return lastingLook(trigger, site);
  }
}

interface Seen {
  value: number;
  unit: string;
}

type ValueLook = () => Reason | 'missing' | null;

function crossingLook(edge: Edge, read: () => Seen | null): ValueLook {
  let side: Side = null;
  return () => {
    const now = read();
    const step = crossing(side, edge, now?.value ?? null);
    side = step.side;
    if (now === null) return 'missing';
    if (!step.isDue) return null;
    return crossingReason(side, { ...now, level: edge.level });
  };
}

/** After a start the first value may take as long as any other. */
function sighted(look: ValueLook, max_age_s: number, clock: Clock): Look {
  const from = clock.elapsed();
  let hasSeen = false;
  return () => {
    const seen = look();
    hasSeen ||= seen !== 'missing';
    if (seen !== 'missing') return seen;
    return hasSeen || clock.elapsed() - from >= max_age_s * 1000 ? 'blind' : null;
  };
}

/** An output whose state is unknown has an alarm of its own. */
function told(look: ValueLook): Look {
  return () => {
    const seen = look();
    return seen === 'missing' ? null : seen;
  };
}

function lastingLook({ output, state, for_s = 0 }: TriggerOf<'output'>, { clock, outputs }: WatchSite): Look {
  let since: Lasting | undefined;
  return () => {
    const now = outputs.stateOf(output);
    const shown = now?.contact ?? now?.state ?? null;
    const holds = shown === null ? null : isOn(shown) === (state === 'on');
    // A state that holds at the first check began before the watch.
    since ??= { since_ms: holds === true ? clock.elapsed() : null, isTold: holds === true && for_s === 0 };
    const step = lasting(since, { holds, now_ms: clock.elapsed(), for_s });
    since = step.lasting;
    return step.isDue ? lastingReason({ state, for_s }) : null;
  };
}

function dutyOf(output: TriggerOf<'output_pwm'>['output'], { outputs }: WatchSite): Seen | null {
  const state = outputs.stateOf(output)?.state ?? null;
  if (state === null) return null;
  return { value: typeof state === 'number' ? state : isOn(state) ? 100 : 0, unit: '%' };
}
