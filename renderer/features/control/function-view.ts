import { mdiFunctionVariant } from '@mdi/js';
import { functionEndpoints, functionLive } from '../../../server/contract/function.ts';
import { controllerView } from './controller-view.ts';
import { functionBody, functionForm, functionSchema } from './function-form.ts';
import FunctionPanel from './FunctionPanel.vue';

export const functionView = controllerView('function', {
  icon: mdiFunctionVariant,
  title: 'functions.title',
  text: 'functions.text',
  add: 'functions.add',
  deletion: 'functions.deleteText',
  deactivation: 'functions.deactivateText',
  form: {
    words: 'functions',
    schema: (known) => functionSchema(known?.kind ?? null),
    formOf: functionForm,
    bodyOf: functionBody,
  },
  facts: ({ kind, options }, { t, format }) => [
    `${t(`rules.functions.${kind}`)} · ${t('rules.every', { time: format.duration(options.period_s) })}`,
  ],
  read: async (call) =>
    (await call(functionEndpoints.listLive)).functions.map((one) => [one.function_id, one] as const),
  measuredAt: (told) => functionLive.safeParse(told).data?.at,
  panel: FunctionPanel,
});
