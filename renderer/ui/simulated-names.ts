import { simulatedMeasurements, simulatedParts } from '../../server/contract/drivers/simulated.ts';
import type { SimulatedGreenhouse } from '../../server/contract/preset.ts';
import type { Text } from '../i18n/index.ts';

/** Names of a simulated greenhouse and its parts in the language of the page; the service's own names are English. */
export function simulatedNames(name: string, { t, locale }: Text): SimulatedGreenhouse {
  if (locale.value === 'en') return { name };
  const measured = Object.values(simulatedMeasurements).flat();
  return {
    name,
    part_names: Object.fromEntries(simulatedParts.map((part) => [part, t(`devices.choices.part.${part}`)])),
    measurement_names: Object.fromEntries(measured.map((one) => [one, t(`devices.choices.measurement.${one}`)])),
  };
}
