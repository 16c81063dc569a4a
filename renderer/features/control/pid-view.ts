import { mdiTuneVertical } from '@mdi/js';
import { pidEndpoints, pidLive, type PidState } from '../../../server/contract/pid.ts';
import { controllerView } from './controller-view.ts';
import { bodyOf, drivenAs, formOf, pidSchema } from './pid-form.ts';
import PidPanel from './PidPanel.vue';

export const pidView = controllerView('pid', {
  icon: mdiTuneVertical,
  title: 'control.pids',
  text: 'control.pidsText',
  add: 'control.add',
  deletion: 'control.deleteText',
  deactivation: 'control.deactivateText',
  form: {
    words: 'control',
    schema: () => pidSchema,
    formOf,
    bodyOf,
    isChoice: (name, word, channel) => name !== 'kind' || drivenAs(channel).some((kind) => kind === word),
  },
  read: async (call) => (await call(pidEndpoints.listLive)).pids.map((one) => [one.pid_id, one] as const),
  state: (told) => stateOf(pidLive.safeParse(told).data?.state),
  measuredAt: (told) => pidLive.safeParse(told).data?.measured_at,
  page: ({ unique_id }) => `/control/pids/${unique_id}`,
  panel: PidPanel,
});

function stateOf(word: PidState | undefined) {
  return word === undefined ? null : { word, texts: [`control.states.${word}`, `control.does.${word}`] as const };
}
