import { useText } from '../../i18n/index.ts';
import { useFormat } from '../../ui/format.ts';
import type { DrawnDevice } from './mimic.ts';

/** More positions than this are said as the range that they span. */
const mostListed = 3;

type Device = Pick<DrawnDevice, 'position_pct' | 'isSwitch'>;

/** The states of several devices in few words, and never as their mean. */
export function useStatesText(): {
  positionsText: (devices: readonly Device[]) => string;
  statesText: (devices: readonly Device[]) => string;
} {
  const { t } = useText();
  const format = useFormat();

  function positionsText(devices: readonly Device[]): string {
    const one = (pct: number | null): string => (pct === null ? t('ui.unknown') : format.quantity(pct, '%'));
    const positions = devices.map(({ position_pct }) => position_pct);
    const different = new Set(positions);
    if (different.size <= 1) return one(positions[0] ?? null);
    if (positions.length <= mostListed) return positions.map(one).join(' · ');
    const known = [...different].filter((pct) => pct !== null);
    const range = `${format.number(Math.min(...known))}–${one(Math.max(...known))}`;
    return different.has(null) ? `${range} · ${one(null)}` : range;
  }

  function statesText(devices: readonly Device[]): string {
    const [first, ...others] = devices;
    if (first === undefined || devices.some(({ isSwitch }) => !isSwitch)) return positionsText(devices);
    if (others.length === 0) return first.position_pct === null ? t('ui.unknown') : t(isOn(first) ? 'ui.on' : 'ui.off');
    const unknown = devices.filter(({ position_pct }) => position_pct === null).length;
    const told = t('map.place.someOn', { on: devices.filter(isOn).length, all: devices.length });
    return unknown === 0 ? told : `${told} · ${t('ui.unknown')}`;
  }

  return { positionsText, statesText };
}

const isOn = ({ position_pct }: Device): boolean => position_pct !== null && position_pct > 0;
