import { PipeService } from '../services/pipe/pipe.ts';
import type { Devices } from './devices.ts';
import type { Facilities } from './facilities.ts';
import type { Maps } from './maps.ts';
import type { ServiceParts } from './parts.ts';

type PipeParts = Pick<ServiceParts, 'begun' | 'repositories' | 'settings'> &
  Pick<Devices, 'devices'> &
  Pick<Facilities, 'facilities'> &
  Pick<Maps, 'overlays'>;

/** Composes the laying of pipes with their maps. */
export function composePipes({ begun, repositories, devices, facilities, overlays, settings }: PipeParts) {
  const { placements } = repositories;
  const pipes = new PipeService({
    placements,
    facilities,
    overlays,
    deviceChannels: () => devices.deviceChannels(),
    prices: () => settings().pipe_prices,
  });
  begun.defer(() => pipes.close());
  return { pipes };
}
