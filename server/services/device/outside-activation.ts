import type { ControllerStatus } from '../../contract/daemon.ts';
import type { LiveCache } from '../live/live.ts';
import type { ControllerService } from './controller.ts';
import { outsideActor } from './outside-command.ts';

/**
 * Has it stored when a program makes a controller run or stop past the REST interface: as it happens, and what happened while the
 * service was away; returns an unsubscribe function.
 */
export function keepOutsideActivations(
  live: Pick<LiveCache, 'subscribe' | 'controllers'>,
  controllers: Pick<ControllerService, 'note'>,
): () => void {
  const note = ({ controller_id, asked_active }: ControllerStatus): void => {
    if (asked_active !== undefined) controllers.note(outsideActor, controller_id, asked_active);
  };
  return live.subscribe((event) => {
    if (event.kind === 'controller') note(event);
    if (event.kind === 'reset') live.controllers().forEach(note);
  });
}
