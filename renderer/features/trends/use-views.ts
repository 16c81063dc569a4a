import { shallowRef, type ShallowRef } from 'vue';
import { trendViewEndpoints, type TrendView, type TrendViewCreate } from '../../../server/contract/trend-view.ts';
import { useCall } from '../../client/client.ts';

export interface UsedViews {
  /** The own ones first. */
  views: ShallowRef<readonly TrendView[]>;
  load: () => Promise<void>;
  /** Saves a view; replaces the own one of the same name. */
  save: (view: TrendViewCreate) => Promise<void>;
  share: (id: string, is_shared: boolean) => Promise<void>;
  remove: (id: string) => Promise<void>;
}

/** The user's views of trends, and those that others share, kept on the server so that they are on every device. */
export function useViews(): UsedViews {
  const call = useCall();
  const views = shallowRef<readonly TrendView[]>([]);

  async function load(): Promise<void> {
    views.value = (await call(trendViewEndpoints.list)).trend_views;
  }

  async function save(view: TrendViewCreate): Promise<void> {
    const former = views.value.find(({ is_own, name }) => is_own && name === view.name);
    if (former === undefined) await call(trendViewEndpoints.create, { body: view });
    else await call(trendViewEndpoints.change, { params: { trend_view_id: former.unique_id }, body: view });
    await load();
  }

  async function share(id: string, is_shared: boolean): Promise<void> {
    await call(trendViewEndpoints.change, { params: { trend_view_id: id }, body: { is_shared } });
    await load();
  }

  async function remove(id: string): Promise<void> {
    await call(trendViewEndpoints.remove, { params: { trend_view_id: id } });
    await load();
  }

  return { views, load, save, share, remove };
}
