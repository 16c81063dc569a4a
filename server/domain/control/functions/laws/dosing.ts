import { z } from 'zod';
import type { FunctionOptions } from '../../../../contract/function.ts';
import {
  dosingStep,
  givenBy,
  restingDosing,
  type DosingRest,
  type DosingSettings,
  type DosingState,
  type DosingWait,
} from '../dosing.ts';
import { amount, type Reason } from '../../../../contract/reason.ts';
import type { Quantity } from '../derived.ts';
import { missing, type Found, type Law, type LawSite, type Sight } from './law.ts';

const side = z.enum(['raise', 'lower']);
const kept = z.object({
  doses: z.array(z.object({ at_ms: z.number(), side, ml: z.number() })),
  tried: z.object({ side, count: z.number(), from: z.number() }).nullable(),
  stopped: z.literal('no_reaction').nullable(),
});

/** Its meaning for other functions of the same water, kept with its doses. */
const keptWater = z.object({ tanks: z.array(z.string()), unit: z.string(), mixing_s: z.number(), lock_s: z.number() });

type Options = FunctionOptions<'dosing'>;

/** No water is outside these: such a reading means a broken or dry sensor. pH, and dS/m. */
const plausible = { pH: { least: 2, most: 12 }, 'dS/m': { least: 0, most: 15 } };

/** What someone has to see to. */
const failures: Partial<Record<DosingRest, string>> = {
  missing,
  clock: 'the clock was set back to before the last dose',
  no_reaction: 'the reading does not react to doses: check it, then reset',
};

/** Doses by the rules of the domain; a dose is on disk before it is given, so that no restart gives it twice. */
export function dosingLaw(site: LawSite): Law<Options> {
  let state: DosingState = kept.safeParse(site.kept).data ?? restingDosing;
  let water = keptWater.safeParse(site.kept).data;
  return {
    look: async (options, { read, drive }: Sight): Promise<Found> => {
      const seen = read(options.measurement);
      const unit = seen?.unit ?? '';
      const settings = settingsOf(options, unit);
      const tanks = tanksOf(options);
      const others = site.tanks.others(site.id, tanks);
      const step = dosingStep(state, settings, { now_ms: site.now(), reading: seen?.value ?? null, unit, others });
      state = step.state;
      if (seen !== null) water = { tanks, unit, mixing_s: options.mixing_s, lock_s: options.lock_s };
      tell(); // before anything is waited for: another function of the tank looks in the same tick
      const failure =
        step.dose === null || seen === null ? failureOf(step.rest) : await give(step.dose, options, { drive, seen });
      const progress = progressOf(step.wait);
      return { values: given(state), shown: seen, reason: reasonOf(step, options, seen), progress, failure };
    },
    state: () => ({ ...state, ...water }),
    /** The caps stay: a reset must not evade them. */
    reset: () => void (state = { ...state, tried: null, stopped: null }),
  };

  function tell(): void {
    if (water === undefined) return;
    const { tanks, ...times } = water;
    site.tanks.tell(site.id, { tanks, doses: state.doses.map(({ at_ms, side }) => ({ at_ms, side, ...times })) });
  }

  async function give(
    dose: Dose,
    options: Options,
    { drive, seen }: { drive: Sight['drive']; seen: Quantity },
  ): Promise<string | null> {
    const output = dose.side === 'raise' ? options.raise_output : options.lower_output;
    if (output === undefined) return null;
    await site.remember({ ...state, ...water });
    return drive.ask(output, { state: true, volume_ml: dose.ml }, doseReason(dose, options, seen));
  }
}

/** Names of the water: its sensor, and the tank if one is named. */
function tanksOf({ tank, measurement: { device_id, measurement_id } }: Options): string[] {
  const measured = `${device_id}/${measurement_id}`;
  return tank === undefined ? [measured] : [measured, tank.toLowerCase()];
}

function progressOf(wait: DosingWait | null): NonNullable<Found['progress']> | null {
  if (wait === null || (wait.rest !== 'mixing' && wait.rest !== 'locked')) return null;
  const { rest: what, since_ms, until_ms } = wait;
  return { what, since_ms, until_ms };
}

type Dose = NonNullable<ReturnType<typeof dosingStep>['dose']>;

function settingsOf(options: Options, unit: string): DosingSettings {
  const pumps = { raise_ml: options.raise_ml ?? null, lower_ml: options.lower_ml ?? null };
  return { ...options, ...pumps, plausible: unit === 'dS/m' ? plausible['dS/m'] : plausible.pH };
}

function failureOf(rest: DosingRest | null): string | null {
  return rest === null ? null : (failures[rest] ?? null);
}

function reasonOf(
  { dose, rest }: ReturnType<typeof dosingStep>,
  options: Options,
  seen: Quantity | null,
): Reason | null {
  if (seen === null) return null;
  if (dose !== null) return doseReason(dose, options, seen);
  return { code: 'dose_none', facts: { ...readFacts(options, seen), rest: { word: rest ?? 'in_range' } } };
}

function doseReason({ side: word, ml }: Dose, options: Options, seen: Quantity): Reason {
  return { code: 'dose', facts: { ...readFacts(options, seen), side: { word }, volume: amount(ml, 'ml') } };
}

function readFacts({ target }: Options, { value, unit }: Quantity): Reason['facts'] {
  return { value: amount(value, unit), target: amount(target, unit) };
}

function given({ doses }: DosingState) {
  const ml = (one: 'raise' | 'lower') => ({ value: givenBy(doses, one), unit: 'ml' });
  return [ml('raise'), ml('lower')];
}
