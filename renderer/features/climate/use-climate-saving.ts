import type { ShallowRef } from 'vue';
import type { Climate } from '../../../server/contract/climate-settings.ts';
import { climateEndpoints } from '../../../server/contract/climate.ts';
import { ApiError, isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { isAlike, namedOf, type ClimateBody, type ClimateDraft } from './use-climate-draft.ts';

/** What others change beside a draft, as often as that is looked past: a hold, or whether the program runs. */
const mostTries = 3;

export interface ClimateSaving {
  /**
   * Takes the draft: what it leaves as it is, is not named. Where somebody changed or deleted the program meanwhile the
   * server refuses it: the draft then stands on the newer one, or on none, and false is returned.
   */
  take: () => Promise<boolean>;
  /** Changes only the named fields of the present program; the draft stays. */
  change: (named: (stored: Climate) => Pick<ClimateBody, 'is_activated' | 'overrides'>) => Promise<void>;
}

interface Saved extends Pick<ClimateDraft, 'body'> {
  program: ShallowRef<Climate | null>;
  params: () => { facility_uuid: string };
  /** The present program; null where there is none. */
  stored: () => Promise<Climate | null>;
  /** Begins a draft anew from a program that was taken. */
  show: (taken: Climate) => void;
  /** Takes a program for the present one; a draft keeps its changes. */
  adopt: (found: Climate) => void;
  /** Reads what a change that is done has done. */
  lookAfter: () => Promise<void>;
}

/** Changes a program that others may change meanwhile. */
export function useClimateSaving({ program, params, body, stored, show, adopt, lookAfter }: Saved): ClimateSaving {
  const call = useCall();

  async function take(): Promise<boolean> {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const [asked, known] = [body.value, program.value];
      if (asked === null) return false;
      const taken = await unlessChanged(() => send(asked, known));
      if (taken !== null) {
        program.value = taken;
        show(taken);
        await lookAfter();
        return true;
      }
      const newer = await adoptStored();
      // A hold, or that it was switched off, is no change of what the draft is made of.
      if (newer === null || known === null || !isAlike(known, newer)) return false;
    }
    return false;
  }

  function send(asked: ClimateBody, known: Climate | null): Promise<Climate> {
    if (known === null) return call(climateEndpoints.save, { params: params(), body: { ...asked, revision: 0 } });
    const { unique_id: climate_id, revision } = known;
    return call(climateEndpoints.change, { params: { climate_id }, body: { ...namedOf(known, asked), revision } });
  }

  const change: ClimateSaving['change'] = async (named) => {
    for (let tries = 0; tries < mostTries && program.value !== null; tries += 1) {
      const { unique_id: climate_id, revision } = program.value;
      const asked = { ...named(program.value), revision };
      const changed = await unlessChanged(() => call(climateEndpoints.change, { params: { climate_id }, body: asked }));
      if (changed !== null) {
        adopt(changed);
        return lookAfter();
      }
      await adoptStored();
    }
    throw new ApiError('revision_conflict', 'the program was changed meanwhile', {});
  };

  async function adoptStored(): Promise<Climate | null> {
    const found = await stored();
    if (found === null) program.value = null;
    else adopt(found);
    return found;
  }

  return { take, change };
}

/** null when another user changed or deleted it meanwhile. */
async function unlessChanged<Answer>(work: () => Promise<Answer>): Promise<Answer | null> {
  try {
    return await work();
  } catch (thrown) {
    if (isApiError(thrown) && (thrown.code === 'revision_conflict' || thrown.code === 'not_found')) return null;
    throw thrown;
  }
}
