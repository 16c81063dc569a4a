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

/** Every kind of controller, in starting order: a kind comes before those that command or read it. */
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
