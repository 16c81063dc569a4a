import type { RunningKind } from '../controller-kind.ts';
import type { Outputs } from './outputs.ts';

/** They are made before everything else that runs, and start with what the last daemon left. */
export const outputs: RunningKind<Outputs> = { word: 'output', run: ({ outputs: made }) => made };
