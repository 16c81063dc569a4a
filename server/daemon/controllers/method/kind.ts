import type { RunningKind } from '../controller-kind.ts';
import { Methods } from './methods.ts';

export const methods: RunningKind<Methods> = {
  word: 'method',
  run: ({ curves, events }) => new Methods(curves, events),
};
