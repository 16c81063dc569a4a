import type { lcdMethods } from '../../contract/remote/lcd.ts';
import type { StatusPair } from '../../contract/remote/parameters.ts';
import type { Activation } from '../controllers/activation.ts';
import type { Lcds } from '../controllers/lcd/lcds.ts';
import type { LcdController } from '../controllers/lcd/lcd.ts';
import type { HandlersOf } from './handlers.ts';

interface LcdParts {
  activation: Pick<Activation, 'require'>;
  lcds: Lcds;
}

/** Displays, as Python programs and the service command them. */
export function lcdHandlers({ activation, lcds }: LcdParts): HandlersOf<typeof lcdMethods> {
  const run = async (lcdId: string, act: (lcd: LcdController) => Promise<void>): Promise<StatusPair> => {
    activation.require('LCD', lcdId);
    const failure = await lcds.command(lcdId, act);
    return failure === null ? [0, 'the display took it'] : [1, failure];
  };
  return {
    lcd_backlight: ({ lcd_id, state }) => run(lcd_id, (lcd) => lcd.light({ backlight: state })),
    lcd_flash: ({ lcd_id, state }) => run(lcd_id, (lcd) => lcd.light({ flash: state })),
    lcd_reset: ({ lcd_id }) => run(lcd_id, (lcd) => lcd.reset()),
    display_backlight_color: ({ lcd_id, color }) => run(lcd_id, (lcd) => lcd.light({ color })),
  };
}
