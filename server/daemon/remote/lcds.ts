import { z } from 'zod';
import type { RemoteMethod } from '../../remote/method.ts';
import type { Activation } from '../activation.ts';
import type { Lcds } from '../controllers/lcd/lcds.ts';
import type { LcdController } from '../controllers/lcd/lcd.ts';
import { id, method } from './arguments.ts';

const state = z.union([z.boolean(), z.int().min(0).max(1).transform(Boolean)]);

interface LcdParts {
  activation: Pick<Activation, 'require'>;
  lcds: Lcds;
}

/** Displays, as Python programs and the service command them. */
export function lcdMethods({ activation, lcds }: LcdParts): Record<string, RemoteMethod> {
  const run = async (lcdId: string, act: (lcd: LcdController) => Promise<void>): Promise<[number, string]> => {
    activation.require('LCD', lcdId);
    const failure = await lcds.command(lcdId, act);
    return failure === null ? [0, 'the display took it'] : [1, failure];
  };
  return {
    lcd_backlight: method({
      parameters: ['lcd_id', 'state'],
      schema: z.object({ lcd_id: id, state }),
      run: (args) => run(args.lcd_id, (lcd) => lcd.light({ backlight: args.state })),
    }),
    lcd_flash: method({
      parameters: ['lcd_id', 'state'],
      schema: z.object({ lcd_id: id, state }),
      run: (args) => run(args.lcd_id, (lcd) => lcd.light({ flash: args.state })),
    }),
    lcd_reset: method({
      parameters: ['lcd_id'],
      schema: z.object({ lcd_id: id }),
      run: ({ lcd_id }) => run(lcd_id, (lcd) => lcd.reset()),
    }),
    display_backlight_color: method({
      parameters: ['lcd_id', 'color'],
      schema: z.object({ lcd_id: id, color: z.string().regex(/^#[0-9a-f]{6}$/i) }),
      run: ({ lcd_id, color }) => run(lcd_id, (lcd) => lcd.light({ color })),
    }),
  };
}
