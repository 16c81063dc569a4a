import { mdiCodeBraces } from '@mdi/js';
import ConditionalFields from './ConditionalFields.vue';
import { controllerView } from './controller-view.ts';
import { conditionalBody, conditionalSchema, doneBy, ruleForm } from './rule-form.ts';

export const conditionalView = controllerView('conditional', {
  icon: mdiCodeBraces,
  title: 'rules.conditionals',
  text: 'rules.conditionalsText',
  add: 'rules.addConditional',
  deletion: 'rules.deleteText',
  deactivation: 'rules.deactivateText',
  form: {
    words: 'rules',
    schema: () => conditionalSchema,
    formOf: ruleForm,
    bodyOf: conditionalBody,
    fields: ConditionalFields,
  },
  facts: (conditional, { t, format }) => [
    t('devices.every', { seconds: format.number(conditional.period_s) }),
    ...doneBy(conditional, t),
  ],
});
