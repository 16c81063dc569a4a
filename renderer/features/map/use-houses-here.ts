import { computed, shallowRef } from 'vue';
import { facilityEndpoints } from '../../../server/contract/facility-endpoints.ts';
import type { Facility } from '../../../server/contract/facility.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useFollowing } from '../../stores/following.ts';

/** The houses on the open map, read again as soon as one is set up or removed, here or elsewhere. */
export function useHousesHere(mapUuid: () => string) {
  const call = useCall();
  const list = shallowRef<readonly Facility[]>([]);
  /** House by the shape that it stands on. */
  const facilityOfShape = computed(() => new Map(list.value.map((one) => [one.shape_uuid, one.unique_id])));
  const nameOfShape = computed(() => new Map(list.value.map((one) => [one.shape_uuid, one.name])));
  const holdsHouse = (shapeId: string): boolean => facilityOfShape.value.has(shapeId);
  /** Devices of these houses. */
  const boundDevices = computed(
    () =>
      new Set(list.value.flatMap(({ sensors, actuators }) => [...sensors, ...actuators]).map((one) => one.device_id)),
  );

  /** Throws ApiError. */
  async function read(): Promise<void> {
    const geo_id = mapUuid();
    const { facilities } = await call(facilityEndpoints.list, { query: { geo_id } });
    if (geo_id !== mapUuid()) return;
    list.value = facilities;
  }

  async function readAgain(): Promise<void> {
    try {
      await read();
    } catch (thrown) {
      if (!isApiError(thrown)) throw thrown; // those read before stay; the service guards its houses itself
    }
  }

  useFollowing(readAgain, (change) => change.kind === 'facility' && change.geo_id === mapUuid());
  return { list, facilityOfShape, nameOfShape, holdsHouse, boundDevices, read };
}
