import text from '../../../resources/device-text/en.json' with { type: 'json' };
import type { DeviceWord } from '../../../server/contract/device-words.ts';

/** Faults as drivers and stores say them, in the middle of a sentence; `{said}` is what a device itself said. */
export const said = text satisfies Record<DeviceWord, string>;
