import { composeAlarms } from './alarms.ts';
import { composeBackups } from './backups.ts';
import { composeCommissioning } from './commissioning.ts';
import { connectToDaemon } from './daemon-connections.ts';
import { composeDevices } from './devices.ts';
import { composeFacilities } from './facilities.ts';
import { composeMaps } from './maps.ts';
import { composeMeasurements } from './measurements.ts';
import type { ServiceParts } from './parts.ts';
import { composeBaseMaps, composeParcels, composeProxies, type OutsideParts } from './proxies.ts';
import { composePipes } from './pipes.ts';
import { composeRecords } from './records.ts';
import { composeSiteFile } from './site-file.ts';

export type Services = ReturnType<typeof composeServices>;

/**
 * Composes all services but those of accounts. Nothing runs yet; `parts.begun` ends what was made here in reverse
 * order, which is why some come after others.
 */
export function composeServices(parts: ServiceParts & OutsideParts) {
  const daemon = connectToDaemon(parts);
  const proxies = composeProxies(parts);
  const devices = composeDevices({ ...parts, ...daemon, ...proxies });
  const facilities = composeFacilities({ ...parts, ...daemon, ...devices });
  const commissioning = composeCommissioning({ ...parts, ...daemon, ...facilities });
  const records = composeRecords({ ...parts, ...daemon, ...devices });
  const maps = composeMaps({ ...parts, ...devices, ...facilities }); // what a job saves ends when their worker does
  const baseMaps = composeBaseMaps({ ...parts, ...proxies });
  const parcels = composeParcels({ ...parts, ...maps, ...proxies });
  parts.begun.defer(() => parts.endDaemon?.()); // its outputs are safe before a job or a save above is waited for
  parts.begun.defer(() => daemon.live.stop()); // before those that note what it told last
  const measurements = composeMeasurements({ ...parts, ...daemon, ...devices, ...facilities });
  const alarms = composeAlarms({ ...parts, ...daemon, ...facilities });
  const backups = composeBackups({ ...parts, ...daemon });
  const pipes = composePipes({ ...parts, ...maps, ...devices, ...facilities });
  const siteFile = composeSiteFile({ ...parts, ...devices, ...facilities, ...maps, ...measurements, ...alarms });
  const { live } = daemon;
  return {
    live,
    ...devices,
    ...facilities,
    ...commissioning,
    ...records,
    ...maps,
    ...measurements,
    ...alarms,
    ...backups,
    ...siteFile,
    ...parcels,
    ...pipes,
    ...baseMaps,
    ...proxies,
  };
}

/** Starts to listen to the daemon, which may come later. */
export function followDaemon({ commissioningAudit, outsideAudit, live }: Services): void {
  commissioningAudit.start();
  outsideAudit.start();
  live.start();
}

/** Starts the background work of the services, once the state of the daemon is known. */
export function startServices(services: Services, onFault: (error: unknown, what: string) => void): void {
  services.jobs.start();
  services.followHouses();
  services.areaDownloads.start();
  services.designs.start((error) => onFault(error, 'old maps could not be removed'));
  services.facilityWatch.start();
  services.storageWatch.start();
  services.backupWatch.start();
  services.backupCopies.start((error) => onFault(error, 'backups could not be copied'));
  services.backupSchedule.start((error) => onFault(error, 'a backup could not be made'));
  services.sender.start();
  services.errandSender.start();
}
