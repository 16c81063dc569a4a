import type { Migration } from '../migration.ts';
import { outputs } from './control/0001-outputs.ts';
import { commissioning } from './control/0002-commissioning.ts';
import { alarms } from './control/0003-alarms.ts';
import { emergencyStop } from './control/0004-emergency-stop.ts';
import { askedActivations } from './control/0005-asked-activations.ts';
import { controllerStates } from './control/0007-controller-states.ts';
import { keptCommands } from './control/0006-kept-commands.ts';

/** control.db: the state of outputs and controllers that outlives the daemon, its only writer. */
export const controlMigrations: readonly Migration[] = [
  outputs,
  commissioning,
  alarms,
  emergencyStop,
  askedActivations,
  keptCommands,
  controllerStates,
];
