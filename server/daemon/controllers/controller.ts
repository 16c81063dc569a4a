import type { ControllerStatus } from '../../contract/daemon.ts';

/** Anything that runs in the daemon under an id. Constructing one does nothing; a stop takes under two seconds. */
export interface Controller {
  readonly id: string;
  status(): ControllerStatus;
}
