import { conditionalView } from './conditional-view.ts';
import type { ControllerView } from './controller-view.ts';
import { functionView } from './function-view.ts';
import { methodView } from './method-view.ts';
import { pidView } from './pid-view.ts';
import { triggerView } from './trigger-view.ts';

/** The kinds that the control page lists, in its order. Devices have a page of their own. */
export const controllerViews: readonly ControllerView[] = [
  pidView,
  triggerView,
  conditionalView,
  functionView,
  methodView,
];
