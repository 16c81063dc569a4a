import { useFormat } from '../../ui/format.ts';
import { useText } from '../../i18n/index.ts';
import { fieldText } from '../../ui/field-text.ts';
import type { Fault, Faults } from './draft-check.ts';

/** The text under a field: `textOf(path, unit)`, undefined when nothing is wrong. Limits are in the site's units. */
export function useFaultText(faults: () => Faults): (path: string, wireUnit?: string) => string | undefined {
  const { t } = useText();
  const format = useFormat();

  function sentence(fault: Fault, wireUnit: string): string {
    if (fault.code === 'other')
      return (fault.field && (fieldText(fault.field, t) ?? fault.field.message)) ?? t('errors.invalid_field');
    if (fault.limit === undefined) return t(`facility.invalid.${fault.code}`);
    const limit = wireUnit === '' ? format.number(fault.limit) : format.quantity(fault.limit, wireUnit);
    return t(`facility.invalid.${fault.code}`, { limit });
  }

  return (path, wireUnit = '') => {
    const fault = faults().get(path);
    return fault === undefined ? undefined : sentence(fault, wireUnit);
  };
}
