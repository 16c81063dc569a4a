import { conditionalView } from './conditional-view.ts';
import type { ControllerView } from './controller-view.ts';
import { functionView } from './function-view.ts';
import { methodView } from './method-view.ts';
import { pidView } from './pid-view.ts';
import { triggerView } from './trigger-view.ts';

/** The kinds on the control page, in its order. Devices have their own page. */
export const controllerViews: readonly ControllerView[] = [
  pidView,
  triggerView,
  conditionalView,
  functionView,
  methodView,
];
