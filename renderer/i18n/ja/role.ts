import text from '../../../resources/role-text/ja.json' with { type: 'json' };
import type { Messages } from '../messages.ts';

export const role: Messages['role'] = text;
