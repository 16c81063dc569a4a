import { mdiCodeBraces } from '@mdi/js';
import { conditionalEndpoints } from '../../../server/contract/conditional.ts';
import ConditionalFields from './ConditionalFields.vue';
import { controllerView } from './controller-view.ts';
import RulePanel from './RulePanel.vue';
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
  facts: (conditional, { t, format, actionText }) => [
    t('rules.every', { time: format.duration(conditional.period_s) }),
    ...doneBy(conditional, t, actionText),
  ],
  read: async (call) =>
    (await call(conditionalEndpoints.listLive)).conditionals.map((one) => [one.conditional_id, one] as const),
  panel: RulePanel,
});
