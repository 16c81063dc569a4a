import { mdiMonitorDashboard } from '@mdi/js';
import { computed, shallowRef, type ComputedRef } from 'vue';
import { useRouter } from 'vue-router';
import { dashboardEndpoints, type Dashboard } from '../../../server/contract/dashboard.ts';
import { useCall } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import type { PaletteCommand } from '../feature.ts';

/** Each of the user's own dashboards by its name. */
export function useDashboardCommands(onOpen: (read: () => Promise<unknown>) => void): ComputedRef<PaletteCommand[]> {
  const { t } = useText();
  const router = useRouter();
  const call = useCall();
  const dashboards = shallowRef<readonly Dashboard[]>([]);
  onOpen(async () => {
    dashboards.value = (await call(dashboardEndpoints.list, {})).dashboards;
  });
  return computed(() =>
    dashboards.value.map(({ unique_id, name }) => ({
      id: `dashboard:${unique_id}`,
      title: name,
      hint: t('dashboards.title'),
      icon: mdiMonitorDashboard,
      isOfSite: true,
      run: () => router.push({ name: 'dashboard', params: { dashboard_id: unique_id } }),
    })),
  );
}
