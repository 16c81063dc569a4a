import type { Ref } from 'vue';
import { alarmEndpoints, type Alarm } from '../../../server/contract/alarm.ts';
import { useCall } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { useLive } from '../../stores/live.ts';
import { useNotice } from '../../stores/notice.ts';
import { useSubmission } from '../../ui/submission.ts';

interface AlarmDeeds {
  isBusy: Ref<boolean>;
  /** Why the last one was refused. */
  error: Ref<unknown>;
  forget: () => void;
  acknowledge: (alarms: readonly Alarm[], reason?: string) => Promise<boolean>;
  shelve: (alarm: Alarm, sent: { duration_s: number; reason?: string }) => Promise<boolean>;
  /** Actions that need no reason. */
  change: (deed: 'unshelve' | 'removeFromService' | 'returnToService', alarm: Alarm) => Promise<boolean>;
}

const most = 500; // alarms in one call

/** A user's actions on alarms. The list updates from the server's answers. */
export function useAlarmDeeds(): AlarmDeeds {
  const call = useCall();
  const live = useLive();
  const notice = useNotice();
  const { t } = useText();
  const submission = useSubmission();
  const { isBusy, error } = submission;

  return {
    isBusy,
    error,
    forget: () => submission.forget(),
    acknowledge: async (alarms, reason = '') => {
      const ids = alarms.map(({ alarm_id }) => alarm_id);
      return submission.run(async () => {
        let n = 0;
        for (let at = 0; at < ids.length; at += most) {
          const body = { alarm_ids: ids.slice(at, at + most), ...(reason !== '' && { reason }) };
          const sent = call(alarmEndpoints.acknowledgeMany, { body });
          const { refused } = await live.takeAlarms(sent, ({ alarms: changed }) => changed);
          n += refused.length;
        }
        notice.done(n === 0 ? t('alarms.done') : t('alarms.partly', { n }, n));
      });
    },
    shelve: ({ alarm_id }, body) =>
      submission.run(() => live.takeAlarms(call(alarmEndpoints.shelve, { params: { alarm_id }, body }), (it) => [it])),
    change: (deed, { alarm_id }) =>
      submission.run(() =>
        live.takeAlarms(call(alarmEndpoints[deed], { params: { alarm_id }, body: {} }), (it) => [it]),
      ),
  };
}
