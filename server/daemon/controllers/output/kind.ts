import type { RunningKind } from '../controller-kind.ts';
import type { Outputs } from './outputs.ts';

/** Outputs are made before every other kind, and start from what the last daemon left. */
export const outputs: RunningKind<Outputs> = { word: 'output', run: ({ outputs: made }) => made };
