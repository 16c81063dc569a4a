import { useDebounceFn, useIntervalFn } from '@vueuse/core';
import { shallowRef, watch, type ShallowRef } from 'vue';
import type { ClimatePreview } from '../../../server/contract/climate-live.ts';
import type { Climate } from '../../../server/contract/climate-settings.ts';
import { climateEndpoints } from '../../../server/contract/climate.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import type { ClimateDraft } from './use-climate-draft.ts';

/** The preview moves on with the clock. */
const againEveryMs = 300_000;
/** Delay between typing and drawing. */
const drawnAfterMs = 400;

export interface ClimatePreviews {
  /** Of the program; without one, of the draft. */
  preview: ShallowRef<ClimatePreview | null>;
  /** As the draft would make it; null while nothing is changed, or it is wrong. */
  changed: ShallowRef<ClimatePreview | null>;
  /** Why the draft cannot be. */
  fault: ShallowRef<unknown>;
}

interface Drawn extends Pick<ClimateDraft, 'rows' | 'influences' | 'parts' | 'body' | 'changes'> {
  program: Readonly<ShallowRef<Climate | null>>;
  params: () => { facility_uuid: string };
  span: () => { from: string; hours: number };
}

/** The hours ahead by the program, and by its draft as it is typed. */
export function useClimatePreview({ program, params, span, ...draft }: Drawn): ClimatePreviews & {
  /** Reads that of the program. */
  read: () => Promise<void>;
  /** Forgets what was drawn of a draft. */
  clear: () => void;
} {
  const call = useCall();
  const preview = shallowRef<ClimatePreview | null>(null);
  const changed = shallowRef<ClimatePreview | null>(null);
  const fault = shallowRef<unknown>(null);

  async function read(): Promise<void> {
    preview.value = await call(climateEndpoints.preview, { params: params(), query: span() });
  }

  function clear(): void {
    changed.value = null;
    fault.value = null;
  }

  async function draw(): Promise<void> {
    clear();
    const asked = draft.body.value;
    if (asked === null || (program.value !== null && draft.changes.value.length === 0)) return;
    try {
      const drawn = await call(climateEndpoints.previewChanged, { params: params(), query: span(), body: asked });
      if (asked !== draft.body.value) return; // a later draft is drawn instead
      if (program.value === null) preview.value = drawn;
      else changed.value = drawn;
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown;
      if (asked === draft.body.value) fault.value = thrown;
    }
  }

  /** Where it cannot be read, the page keeps its content. */
  async function readAgain(): Promise<void> {
    if (program.value === null) return;
    await read().catch((thrown: unknown) => {
      if (!isApiError(thrown)) throw thrown;
    });
  }

  watch([draft.rows, draft.influences, draft.parts], useDebounceFn(draw, drawnAfterMs), { deep: true });
  watch(
    () => span().from,
    () => {
      void readAgain();
      void draw();
    },
  );
  useIntervalFn(() => void readAgain(), againEveryMs);
  return { preview, changed, fault, read, clear };
}
