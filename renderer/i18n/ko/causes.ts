import text from '../../../resources/cause-text/ko.json' with { type: 'json' };
import type { Messages } from '../messages.ts';

/** Why controllers do what they do. */
export const causes: Messages['causes'] = text;
