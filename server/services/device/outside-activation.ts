import type { ControllerStatus } from '../../contract/daemon.ts';
import type { LiveCache } from '../live/live.ts';
import type { ControllerService } from './controller.ts';
import { outsideActor } from './outside-command.ts';

/**
 * Stores activations that programs make past the REST interface, both live and from the time that the service was away.
 * Returns an unsubscribe function.
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
