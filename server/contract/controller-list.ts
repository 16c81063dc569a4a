import { inputKind } from './input.ts';
import { lcdKind } from './lcd.ts';
import { outputKind } from './output.ts';
import { pidKind } from './pid.ts';

/** Every kind of what the daemon runs: each layer iterates this list, by `controller-kinds.ts`. */
export const controllerKinds = [inputKind, outputKind, lcdKind, pidKind] as const;
