import type { FunctionOptions } from '../../../../contract/function.ts';
import { amount, differenceUnit, type Reason } from '../../../../contract/reason.ts';
import type { Quantity } from '../derived.ts';
import { bangBang } from '../bang-bang.ts';
import { missing, type Found, type Law, type Sight } from './law.ts';

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
      const reason = reasonOf(options, measured, isOn);
      const failure = await drive.ask(options.output, { state: isOn }, reason);
      return { values: [], shown: measured, is_on: isOn, reason, failure };
    },
  };
}

function reasonOf({ setpoint, hysteresis, direction }: Options, { value, unit }: Quantity, isOn: boolean): Reason {
  const levels = { setpoint: amount(setpoint, unit), hysteresis: amount(hysteresis, differenceUnit(unit)) };
  const words: Reason['facts'] = { direction: { word: direction }, state: { word: isOn ? 'on' : 'off' } };
  return { code: 'bang_bang', facts: { ...words, value: amount(value, unit), ...levels } };
}
