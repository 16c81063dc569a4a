import { mdiBellOutline } from '@mdi/js';
import { computed } from 'vue';
import { useText } from '../../i18n/index.ts';
import type { Feature } from '../feature.ts';
import { useLive } from '../../stores/live.ts';

export const alarms: Feature = {
  routes: [
    { path: '/alarms', component: () => import('./AlarmListPage.vue'), meta: { title: 'alarms.title' } },
    {
      path: '/alarms/journal',
      component: () => import('./AlarmJournalPage.vue'),
      meta: { title: 'alarms.journalTitle' },
    },
  ],
  navigation: [
    {
      to: '/alarms',
      title: 'alarms.title',
      icon: mdiBellOutline,
      order: 40,
      permission: 'view_stats',
      useBadge: () => {
        const { t } = useText();
        const live = useLive();
        return computed(() => {
          const count = live.unseenAlarms.length;
          if (count === 0) return null;
          const isUrgent = live.unseenAlarms.some(({ severity, is_raised }) => severity === 'emergency' && is_raised);
          return { count, isUrgent, text: t('alarms.count', { n: count }, count) };
        });
      },
    },
  ],
};
