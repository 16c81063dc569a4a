import { mdiFlashOutline } from '@mdi/js';
import { triggerEndpoints } from '../../../server/contract/trigger.ts';
import { controllerView } from './controller-view.ts';
import { doneBy, ruleForm, triggerBody, triggerSchema } from './rule-form.ts';
import TriggerPanel from './TriggerPanel.vue';

export const triggerView = controllerView('trigger', {
  icon: mdiFlashOutline,
  title: 'rules.triggers',
  text: 'rules.triggersText',
  add: 'rules.addTrigger',
  deletion: 'rules.deleteText',
  deactivation: 'rules.deactivateText',
  form: {
    words: 'rules',
    schema: (known) => triggerSchema(known?.kind ?? null),
    formOf: ruleForm,
    bodyOf: triggerBody,
  },
  facts: (trigger, { t, actionText }) => [t(`rules.choices.kind.${trigger.kind}`), ...doneBy(trigger, t, actionText)],
  read: async (call) => (await call(triggerEndpoints.listLive)).triggers.map((one) => [one.trigger_id, one] as const),
  panel: TriggerPanel,
});
