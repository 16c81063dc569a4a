import { DesignService } from '../services/map/design.ts';
import { OverlayService } from '../services/map/overlay.ts';
import { ShapeFileService } from '../services/map/shape-file.ts';
import { MapRunner } from '../services/map/runner.ts';
import type { Devices } from './devices.ts';
import type { Facilities } from './facilities.ts';
import type { ServiceParts } from './parts.ts';

export type Maps = ReturnType<typeof composeMaps>;

/** Composes drawing, storing and deleting maps. */
export function composeMaps(parts: ServiceParts & Pick<Devices, 'devices'> & Pick<Facilities, 'facilities'>) {
  const { db, orangeryFile, later, settings, devices, facilities, begun } = parts;
  const maps = new MapRunner(db, { file: orangeryFile, isWanted: () => later.isWanted });
  begun.defer(() => maps.close());
  const shared = { ...parts, maps };
  const designs = new DesignService({
    ...shared,
    startView: settings,
    purgeFacilities: () => void facilities.purgeTrash(),
  });
  begun.defer(() => designs.stop());
  const shapeFiles = new ShapeFileService({ designs });
  begun.defer(() => shapeFiles.close());
  return {
    designs,
    shapeFiles,
    overlays: new OverlayService({
      ...shared,
      channelsOf: (id) => devices.channelsOf(id),
      deviceChannels: () => devices.deviceChannels(),
    }),
  };
}
