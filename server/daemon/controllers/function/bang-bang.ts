import type { FunctionOptions } from '../../../contract/function.ts';
import type { Quantity } from '../../../domain/control/functions/derived.ts';
import { bangBang } from '../../../domain/control/functions/bang-bang.ts';
import { missing, quantity, short, type Found, type Law, type Sight } from './law.ts';

type Options = FunctionOptions<'bang_bang'>;

/** Switches its output between two levels; without a measurement the output is safe. */
export function bangBangLaw(): Law<Options> {
  let isOn = false;
  return {
    look: async (options, { read, drive }: Sight): Promise<Found> => {
      const measured = read(options.measurement);
      if (measured === null) {
        isOn = false;
        if (drive.isDriving) await drive.makeSafe();
        return { values: [], failure: missing };
      }
      isOn = bangBang(isOn, options, measured.value);
      const because = becauseOf(options, measured, isOn);
      const failure = await drive.ask(options.output, { state: isOn }, because);
      return { values: [], shown: measured, is_on: isOn, because, failure };
    },
  };
}

function becauseOf({ setpoint, hysteresis, direction }: Options, { value, unit }: Quantity, isOn: boolean): string {
  const levels = `${short(setpoint)} ± ${quantity(hysteresis, unit)}`;
  return `${direction}: ${quantity(value, unit)} by ${levels}: ${isOn ? 'on' : 'off'}`;
}
