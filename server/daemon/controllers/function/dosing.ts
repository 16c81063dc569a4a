import { z } from 'zod';
import type { FunctionOptions } from '../../../contract/function.ts';
import {
  dosingStep,
  givenBy,
  restingDosing,
  type DosingRest,
  type DosingSettings,
  type DosingState,
} from '../../../domain/control/functions/dosing.ts';
import { missing, short, type Found, type Law, type LawSite, type Sight } from './law.ts';

const side = z.enum(['raise', 'lower']);
const kept = z.object({
  doses: z.array(z.object({ at_ms: z.number(), side, ml: z.number() })),
  tried: z.object({ side, count: z.number(), from: z.number() }).nullable(),
  stopped: z.literal('no_reaction').nullable(),
});

type Options = FunctionOptions<'dosing'>;

/** No water is outside of these: a sensor that says so is broken or dry. pH, and dS/m. */
const plausible = { pH: { least: 2, most: 12 }, 'dS/m': { least: 0, most: 15 } };

const words: Record<DosingRest, string> = {
  in_range: 'in range',
  missing,
  mixing: 'a dose is mixed in',
  locked: 'locked after a dose of the other pump',
  daily_cap: 'the most of 24 h is given',
  no_pump: 'there is no pump for this side',
  clock: 'the clock was set back before the last dose',
  no_reaction: 'the reading does not react to doses: somebody must look, then reset it',
};

/** Doses by the rules of the domain; what is given is on disk before it is given, so that no restart gives it twice. */
export function dosingLaw(site: LawSite): Law<Options> {
  let state: DosingState = kept.safeParse(site.kept).data ?? restingDosing;
  return {
    look: async (options, { read, drive }: Sight): Promise<Found> => {
      const seen = read(options.measurement);
      const settings = settingsOf(options, seen?.unit ?? '');
      const step = dosingStep(state, settings, { now_ms: site.now(), reading: seen?.value ?? null });
      state = step.state;
      const failure = step.dose === null ? failureOf(step.rest) : await give(step.dose, options, drive);
      return { values: given(state), shown: seen, because: becauseOf(step, options, seen?.value), failure };
    },
    state: () => state,
    /** The caps stay: nobody gets around them by a reset. */
    reset: () => void (state = { ...state, tried: null, stopped: null }),
  };

  async function give({ side: wanted, ml }: Dose, options: Options, drive: Sight['drive']): Promise<string | null> {
    const output = wanted === 'raise' ? options.raise_output : options.lower_output;
    if (output === undefined) return null;
    await site.remember(state);
    const because = `${wanted} by ${short(ml)} ml to ${short(options.target)}`;
    return drive.ask(output, { state: true, volume_ml: ml }, because);
  }
}

type Dose = NonNullable<ReturnType<typeof dosingStep>['dose']>;

function settingsOf(options: Options, unit: string): DosingSettings {
  const pumps = { raise_ml: options.raise_ml ?? null, lower_ml: options.lower_ml ?? null };
  return { ...options, ...pumps, plausible: unit === 'dS/m' ? plausible['dS/m'] : plausible.pH };
}

function failureOf(rest: DosingRest | null): string | null {
  return rest === 'missing' || rest === 'no_reaction' || rest === 'clock' ? words[rest] : null;
}

function becauseOf({ dose, rest }: ReturnType<typeof dosingStep>, { target }: Options, value?: number): string | null {
  if (value === undefined) return null;
  const what = dose === null ? words[rest ?? 'in_range'] : `${dose.side} by ${short(dose.ml)} ml`;
  return `${short(value)} to ${short(target)}: ${what}`;
}

function given({ doses }: DosingState) {
  const ml = (one: 'raise' | 'lower') => ({ value: givenBy(doses, one), unit: 'ml' });
  return [ml('raise'), ml('lower')];
}
