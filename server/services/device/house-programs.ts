import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import type { DaemonSettings } from '../live/daemon-settings.ts';
import type { SiteChanges } from '../live/site-changes.ts';

interface Following {
  changes: Pick<SiteChanges, 'subscribe'>;
  kinds: Pick<ControllerStores, 'climate'>;
  daemon: Pick<DaemonSettings, 'changed'>;
}

/**
 * Tells the daemon when a house was changed, deleted or restored, so that its climate program acts at once: without its
 * house it releases its actuators. Returns an unsubscribe function.
 */
export function followHouses({ changes, kinds, daemon }: Following): () => void {
  return changes.subscribe((change) => {
    if (change.kind !== 'facility') return;
    const { facility_uuid } = change;
    const own = kinds.climate.list().filter((one) => one.facility_uuid === facility_uuid && one.is_activated);
    for (const { unique_id } of own) void daemon.changed(unique_id);
  });
}
