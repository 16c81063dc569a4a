import type { RunningKind } from '../controller-kind.ts';
import { Pids } from './pids.ts';

export const pids: RunningKind<Pids> = {
  word: 'pid',
  run: ({ clock, live, outputs, watchdog, store, events, curves, writer, measured }) =>
    new Pids({ clock, live, outputs, watchdog, store, events, curves, writer, measured }),
};
