import { onScopeDispose, watch } from 'vue';
import type { LiveOutput } from '../../stores/live/devices.ts';
import type { Command } from '../../ui/command.ts';
import { useNow } from '../../ui/now.ts';
import { positionOf, type Wanted } from './output-command.ts';

/** What refused a command is often not in the channel's state: later than this it may be gone, ms. */
const refusedShownMs = 600_000;

/**
 * Ends what is said of a command when its cause ends: with the result that the live stream brings after the answer,
 * when the device's state is known again, or when the channel has changed since.
 */
export function useCommandEnd(command: Command<Wanted>, known: () => LiveOutput | undefined): void {
  const now = useNow();
  const { phase } = command;
  /** The channel when the command was sent, and from its outcome on, when that became known. */
  let since = known();
  /** The event that ended the command, where it came before the answer. */
  let result: LiveOutput | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function isResult({ outcome, requested }: LiveOutput): boolean {
    const { value: wanted } = command.wanted;
    if (wanted === null || outcome === undefined || outcome === 'pending') return false;
    return positionOf(requested) === (wanted.position_pct ?? (wanted.state ? 100 : 0));
  }

  function isOver(state: LiveOutput): boolean {
    const hasChanged = state.state !== null && state.changed_at !== since?.changed_at;
    switch (phase.value) {
      case 'kept':
        return state.kept === undefined;
      case 'pending':
        return state !== since && !state.pending;
      case 'unknown':
        return state !== since && state.quality === 'good' && !state.pending;
      case 'blocked':
        return hasChanged || (since?.rule !== null && state.rule === null);
      case 'failed':
        return hasChanged;
      case 'idle':
      case 'requested':
      case 'confirmed':
        return false;
    }
  }

  function look(state: LiveOutput | undefined): void {
    if (state === undefined) return;
    const { outcome, code, message = '' } = result ?? {};
    if (phase.value === 'pending' && outcome !== undefined) command.settle({ outcome, code, message });
    else if (isOver(state)) command.end();
  }

  watch(
    known,
    (state) => {
      if (state !== undefined && isResult(state)) {
        result = state;
        // What ended it is no change since; that its device did it after all is one.
        if (phase.value !== 'pending' && state.outcome !== 'confirmed') since = state;
      }
      look(state);
    },
    // Of two events in a row the first may have the result.
    { flush: 'sync' },
  );

  watch(
    phase,
    (next) => {
      clearTimeout(timer);
      if (next === 'requested') result = undefined;
      if (next === 'pending') look(known());
      else since = known();
      if (next !== 'blocked') return;
      const until = known()?.off_until;
      const restMs = until == null ? refusedShownMs : Date.parse(until) - now.value;
      timer = setTimeout(() => command.end(), Math.min(restMs, refusedShownMs));
    },
    { flush: 'sync' },
  );
  onScopeDispose(() => clearTimeout(timer));
}
