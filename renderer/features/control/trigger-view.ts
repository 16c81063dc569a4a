import { mdiFlashOutline } from '@mdi/js';
import { controllerView } from './controller-view.ts';
import { clockTimesOf, doneBy, ruleForm, triggerBody, triggerSchema } from './rule-form.ts';

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
  facts: (trigger, { t }) => [
    `${t(`rules.choices.kind.${trigger.kind}`)} ${clockTimesOf(trigger)}`.trim(),
    ...doneBy(trigger, t),
  ],
});
