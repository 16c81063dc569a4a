import type { ControllerStatus } from '../../contract/daemon.ts';

/** What runs in the daemon by its id. Constructing one does nothing; a stop takes under two seconds. */
export interface Controller {
  readonly id: string;
  status(): ControllerStatus;
}
