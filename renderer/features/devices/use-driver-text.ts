import { driverList, type DriverName } from '../../../server/contract/drivers/index.ts';
import { useText } from '../../i18n/index.ts';

/** Texts for a driver; undefined for one that this page does not know, e.g. from a daemon of another version. */
export function useDriverText() {
  const { t } = useText();
  const known = (name: string): DriverName | undefined => driverList.find(([one]) => one === name)?.[0];

  function textOf(name: string, which: 'name' | 'summary'): string | undefined {
    const driver = known(name);
    return driver && t(`drivers.${driver}.${which}`);
  }
  return {
    driverName: (name: string): string => textOf(name, 'name') ?? name,
    driverSummary: (name: string): string | undefined => textOf(name, 'summary'),
  };
}
