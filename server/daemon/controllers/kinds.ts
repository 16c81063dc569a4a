import type { RunningKind } from './controller-kind.ts';
import { climates } from './climate/kind.ts';
import { conditionals } from './conditional/kind.ts';
import { functions } from './function/kind.ts';
import { inputs } from './input/kind.ts';
import { lcds } from './lcd/kind.ts';
import { methods } from './method/kind.ts';
import { outputs } from './output/kind.ts';
import { pids } from './pid/kind.ts';
import { triggers } from './trigger/kind.ts';

/** Every kind that runs here, in the order in which they start: what others command or read comes before them. */
export const runningKinds: readonly RunningKind[] = [
  outputs,
  inputs,
  lcds,
  methods,
  pids,
  triggers,
  conditionals,
  functions,
  climates,
];
