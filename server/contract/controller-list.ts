import { climateKind } from './climate.ts';
import { conditionalKind } from './conditional.ts';
import { functionKind } from './function.ts';
import { inputKind } from './input.ts';
import { lcdKind } from './lcd.ts';
import { methodKind } from './method.ts';
import { outputKind } from './output.ts';
import { pidKind } from './pid.ts';
import { triggerKind } from './trigger.ts';

/** Every kind of controller: each layer iterates this list, by `controller-kinds.ts`. */
export const controllerKinds = [
  inputKind,
  outputKind,
  lcdKind,
  methodKind,
  pidKind,
  triggerKind,
  conditionalKind,
  functionKind,
  climateKind,
] as const;
