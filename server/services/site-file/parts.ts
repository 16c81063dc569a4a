import type { ControllerWord } from '../../contract/controller-kinds.ts';
import { allKinds } from '../../contract/controller-kinds.ts';
import { facility, facilitySave } from '../../contract/facility.ts';
import { parseOrRefuse } from '../../contract/field-errors.ts';
import { notificationTargetCreate } from '../../contract/notification-target.ts';
import type { SiteEntryKind } from '../../contract/site-file.ts';
import { unitCreate } from '../../contract/unit.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import type { DeviceFileService } from '../device/device-file.ts';
import { idsIn, withIds, withoutSecrets } from '../device/moved-ids.ts';
import type { FacilityService } from '../facility/facility.ts';
import type { UnitService } from '../measurement/unit.ts';
import type { NotificationTargetService } from '../notification/target.ts';
import type { SiteEntry, SitePart, Taking } from './part.ts';

export interface SitePartOptions {
  deviceFile: Pick<DeviceFileService, 'find' | 'make'>;
  facilities: Pick<FacilityService, 'list' | 'save'>;
  facilityRows: Pick<FacilityRepository, 'get'>;
  units: Pick<UnitService, 'list' | 'create'>;
  notificationTargets: Pick<NotificationTargetService, 'list' | 'create'>;
  maps: SitePart;
}

/** How entries of each kind are imported. */
export function siteParts(options: SitePartOptions): Record<SiteEntryKind, SitePart> {
  const controllers = Object.fromEntries(allKinds.map(({ word }) => [word, controllerPart(word, options)]));
  return {
    ...(controllers as Record<ControllerWord, SitePart>), // the list has them all
    unit: unitPart(options),
    notification_target: targetPart(options),
    map: options.maps,
    facility: facilityPart(options),
  };
}

/** How other entries refer to one that is no more than its id. */
const plain = {
  provides: ({ id }: SiteEntry) => [id],
  mentions: ({ id, content }: SiteEntry) => idsIn(content).filter((one) => one !== id),
};

function controllerPart(kind: ControllerWord, { deviceFile }: SitePartOptions): SitePart {
  return {
    ...plain,
    present: async (id) => deviceFile.find(kind, id),
    take: ({ id, name, content }, taking) =>
      deviceFile.make({ kind, settings: { ...content, unique_id: id, name } }, taking),
  };
}

function unitPart({ units }: SitePartOptions): SitePart {
  return {
    ...plain,
    // A unit of the same name is the same: inputs refer to it by name.
    present: async (id) => units.list().units.find(({ unique_id }) => unique_id === id),
    take: async ({ id, content: { unique_id: _, ...sent } }, taking) => {
      const body = parseOrRefuse(unitCreate, sent);
      return taken(taking, id, (as) => units.create(taking.actor, body, as));
    },
  };
}

function targetPart({ notificationTargets }: SitePartOptions): SitePart {
  return {
    ...plain,
    present: async (id) => {
      const found = notificationTargets.list().find(({ unique_id }) => unique_id === id);
      if (found === undefined) return undefined;
      const { waiting: _waiting, last_result: _result, ...shown } = found;
      return shown;
    },
    take: async ({ id, content }, taking) => {
      const { value, paths: without } = withoutSecrets(content);
      const { unique_id: _id, secret: _secret, ...sent } = value;
      const body = parseOrRefuse(notificationTargetCreate, { ...sent, is_enabled: false });
      return { ...taken(taking, id, (as) => notificationTargets.create(taking.actor, body, as)), without };
    },
  };
}

const notSent = ['geo_id', 'revision', 'created_at', 'updated_at'];

function facilityPart({ facilities, facilityRows }: SitePartOptions): SitePart {
  return {
    ...plain,
    present: async (id) => {
      const row = facilityRows.get(id);
      return row === undefined || row.deleted_at === null ? row?.facility : 'in_trash';
    },
    take: async ({ id, content }, taking) => {
      const entries = Object.entries(content).filter(([key]) => key !== 'unique_id' && !notSent.includes(key));
      const sent = withIds(Object.fromEntries(entries), taking.renamed) as object;
      const body = parseOrRefuse(facilitySave, sent);
      if (taking.isDry) parseOrRefuse(facility.partial(), sent);
      return taken(taking, id, (as) => {
        const named = as === undefined ? body : { ...body, unique_id: as };
        return facilities.save(taking.actor, named).facility;
      });
    },
  };
}

/** Creates it, unless this is a dry run. */
function taken(
  { isDry, idFor, renamed }: Taking,
  id: string,
  make: (as: string | undefined) => { unique_id: string },
): { unique_id: string | null; without: string[] } {
  const unique_id = isDry ? null : make(idFor(id)).unique_id;
  renamed.set(id, unique_id ?? id);
  return { unique_id, without: [] };
}
