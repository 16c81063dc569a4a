import { shallowRef } from 'vue';
import { facilityEndpoints } from '../../../server/contract/facility-endpoints.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useFollowing } from '../../stores/following.ts';

/** The houses on the open map, read again as soon as one is set up or removed, here or elsewhere. */
export function useHousesHere(mapUuid: () => string) {
  const call = useCall();
  /** House by the shape that it stands on. */
  const facilityOfShape = shallowRef<ReadonlyMap<string, string>>(new Map());
  /** Devices of these houses. */
  const boundDevices = shallowRef<ReadonlySet<string>>(new Set());

  /** Throws ApiError. */
  async function read(): Promise<void> {
    const geo_id = mapUuid();
    const { facilities } = await call(facilityEndpoints.list, { query: { geo_id } });
    if (geo_id !== mapUuid()) return;
    facilityOfShape.value = new Map(facilities.map((one) => [one.shape_uuid, one.unique_id]));
    boundDevices.value = new Set(
      facilities.flatMap(({ sensors, actuators }) => [...sensors, ...actuators].map(({ device_id }) => device_id)),
    );
  }

  async function readAgain(): Promise<void> {
    try {
      await read();
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown; // those read before stay; the service guards its houses itself
    }
  }

  useFollowing(readAgain, (change) => change.kind === 'facility' && change.geo_id === mapUuid());
  return { facilityOfShape, boundDevices, read };
}
