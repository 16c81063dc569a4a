import text from '../../../resources/device-text/ja.json' with { type: 'json' };
import type { Messages } from '../messages.ts';

export const said: Messages['said'] = text;
