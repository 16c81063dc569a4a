import { OverlayRepository } from '../db/repositories/overlay.ts';
import { SettingService } from '../services/setting/setting.ts';
import { mapPart } from '../services/site-file/map-part.ts';
import { siteParts } from '../services/site-file/parts.ts';
import { SiteFileService } from '../services/site-file/site-file.ts';
import type { Devices } from './devices.ts';
import type { Facilities } from './facilities.ts';
import type { Maps } from './maps.ts';
import type { Measurements } from './measurements.ts';
import type { composeAlarms } from './alarms.ts';
import type { ServiceParts } from './parts.ts';

type Joined = ServiceParts &
  Pick<Devices, 'deviceFile' | 'devices'> &
  Pick<Facilities, 'facilities'> &
  Maps &
  Pick<Measurements, 'units'> &
  Pick<ReturnType<typeof composeAlarms>, 'notificationTargets'>;

/** Composes the export and import of the whole configuration as one file. */
export function composeSiteFile(parts: Joined) {
  const { db, repositories, devices } = parts;
  const maps = mapPart({
    ...parts,
    rows: repositories.designs,
    features: new OverlayRepository(db),
    deviceExists: (id) => devices.exists(id),
  });
  const settings = new SettingService({ ...parts, rows: repositories.settings, outputs: repositories.outputs });
  const siteFile = new SiteFileService({
    ...parts,
    settings,
    parts: siteParts({ ...parts, maps, facilityRows: repositories.facilities }),
  });
  return { siteFile };
}
