import { computed, watch, type ShallowRef } from 'vue';
import type { ClimateLive } from '../../../server/contract/climate-live.ts';
import { setpointNames, type Climate } from '../../../server/contract/climate-settings.ts';
import { isApiError } from '../../client/api-error.ts';

interface Followed {
  program: ShallowRef<Climate | null>;
  live: () => ClimateLive | null;
  stored: () => Promise<Climate | null>;
}

/**
 * Follows the holds of a program: one that was given, changed or ended elsewhere is not told as a change of the
 * program, but the loops run by it. It takes the holds alone: another change is still found, and said, before the draft
 * overwrites it.
 */
export function useHolds({ program, live, stored }: Followed): void {
  async function take(): Promise<void> {
    try {
      const found = await stored();
      if (program.value === null || program.value.unique_id !== found?.unique_id) return;
      program.value = { ...program.value, overrides: found.overrides };
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown; // the page keeps its content
    }
  }

  const held = computed(() => heldOf(live()));
  watch(held, () => void take());
}

/** The setpoints that are held now, each with its value. */
function heldOf(live: ClimateLive | null): string {
  const setpoints = live?.setpoints ?? null;
  if (setpoints === null) return '[]';
  const held = setpointNames.filter((name) => setpoints[name].parts.some(({ what }) => what === 'override'));
  return JSON.stringify(held.map((name) => [name, setpoints[name].value]));
}
