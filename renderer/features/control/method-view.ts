import { mdiChartBellCurve } from '@mdi/js';
import { controllerView } from './controller-view.ts';
import { methodBody, methodForm, methodSchema, newMethod, unitIn } from './method-form.ts';
import MethodFields from './MethodFields.vue';
import MethodPanel from './MethodPanel.vue';

export const methodView = controllerView('method', {
  icon: mdiChartBellCurve,
  title: 'methods.title',
  text: 'methods.text',
  add: 'methods.add',
  deletion: 'methods.deleteText',
  deactivation: 'methods.deactivateText',
  form: {
    words: 'methods',
    schema: (known) => methodSchema(known?.kind ?? null),
    begun: newMethod,
    formOf: methodForm,
    bodyOf: methodBody,
    unitIn,
    fields: MethodFields,
  },
  facts: ({ kind }, { t }) => [t(`methods.kinds.${kind}`)],
  panel: MethodPanel,
});
