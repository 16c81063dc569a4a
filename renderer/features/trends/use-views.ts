import { shallowRef, type ShallowRef } from 'vue';
import { dashboardEndpoints, type Dashboard } from '../../../server/contract/dashboard.ts';
import { useCall } from '../../client/client.ts';

/** A named set of lines and a span: stored as a dashboard with one trend. */
export interface TrendView {
  id: string;
  name: string;
  series: string[];
  span_s: number;
}

const columns = 24;
const rows = 12;

function viewOf({ unique_id: id, name, widgets }: Dashboard): TrendView | null {
  const [trend, ...more] = widgets;
  if (trend?.kind !== 'trend' || more.length > 0) return null;
  const series = trend.sources.map(({ device_id, measurement_id }) => `${device_id}/${measurement_id}`);
  return { id, name, series, span_s: trend.span_s };
}

/** The user's own views, stored on the server so that they are on every device. */
export function useViews(): {
  views: ShallowRef<readonly TrendView[]>;
  load: () => Promise<void>;
  save: (view: Omit<TrendView, 'id'>) => Promise<void>;
  remove: (id: string) => Promise<void>;
} {
  const call = useCall();
  const views = shallowRef<readonly TrendView[]>([]);

  async function load(): Promise<void> {
    const { dashboards } = await call(dashboardEndpoints.list, { query: { limit: 50 } });
    views.value = dashboards.flatMap((one) => viewOf(one) ?? []);
  }

  async function save({ name, series, span_s }: Omit<TrendView, 'id'>): Promise<void> {
    const sources = series.map((key) => {
      const [device_id = '', measurement_id = ''] = key.split('/');
      return { device_id, measurement_id };
    });
    const place = { id: 'trend', column: 0, row: 0, columns, rows };
    await call(dashboardEndpoints.create, {
      body: { name, widgets: [{ kind: 'trend', ...place, sources, span_s: Math.round(span_s) }] },
    });
    await load();
  }

  async function remove(id: string): Promise<void> {
    await call(dashboardEndpoints.remove, { params: { dashboard_id: id } });
    await load();
  }

  return { views, load, save, remove };
}
