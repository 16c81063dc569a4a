import { defineStore } from 'pinia';
import { shallowRef } from 'vue';
import { designEndpoints, type Design, type DesignListed } from '../../server/contract/design.ts';
import { useCall } from '../client/client.ts';
import { useSettings } from './settings.ts';

/** The maps, and those in the trash. The features of an open map are in `useOpenMap`. */
export const useDesigns = defineStore('designs', () => {
  const call = useCall();
  const settings = useSettings();
  const list = shallowRef<DesignListed[]>([]);
  const trash = shallowRef<DesignListed[]>([]);

  async function load(): Promise<void> {
    const [living, trashed] = await Promise.all([
      call(designEndpoints.list),
      call(designEndpoints.list, { query: { trash: true } }),
    ]);
    list.value = living.designs;
    trash.value = trashed.designs;
  }

  /** Creates a map that opens at the site's place. */
  async function create(name: string): Promise<Pick<Design, 'map_uuid'>> {
    const place = settings.site;
    const made = await call(designEndpoints.save, {
      body: { name, lat: place?.lat ?? 0, lng: place?.lng ?? 0, zoom: Math.max(place?.zoom ?? 0, siteZoom) },
    });
    await load();
    return made;
  }

  async function rename(mapUuid: string, name: string): Promise<void> {
    await call(designEndpoints.save, { query: { features: false }, body: { map_uuid: mapUuid, name } });
    await load();
  }

  async function remove(mapUuid: string): Promise<void> {
    await call(designEndpoints.remove, { params: { map_uuid: mapUuid } });
    await load();
  }

  async function restore(mapUuid: string): Promise<void> {
    await call(designEndpoints.restore, { params: { map_uuid: mapUuid } });
    await load();
  }

  return { list, trash, load, create, rename, remove, restore };
});

/** A new map opens at a zoom where a house of 50 m is some centimetres on screen. */
const siteZoom = 18;
