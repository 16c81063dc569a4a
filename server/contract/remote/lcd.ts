import { z } from 'zod';
import { remoteMethod, required } from './method.ts';
import { id, statusPair } from './parameters.ts';

const lcdId = required('lcd_id', id);
/** Programs also send 0 and 1. */
const state = required('state', z.union([z.boolean(), z.int().min(0).max(1).transform(Boolean)]));
const deed = { access: 'network', answer: statusPair, actsOn: 'lcd_id' } as const;

export const lcdMethods = {
  lcd_backlight: remoteMethod({ ...deed, does: 'light a display', parameters: [lcdId, state] }),
  lcd_flash: remoteMethod({ ...deed, does: 'flash the light of a display', parameters: [lcdId, state] }),
  lcd_reset: remoteMethod({ ...deed, does: 'start a display anew', parameters: [lcdId] }),
  display_backlight_color: remoteMethod({
    ...deed,
    does: 'color the light of a display, #rrggbb',
    parameters: [lcdId, required('color', z.string().regex(/^#[0-9a-f]{6}$/i))],
  }),
};
