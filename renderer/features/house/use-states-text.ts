import { useText } from '../../i18n/index.ts';
import { useFormat } from '../../ui/format.ts';
import type { DrawnDevice } from './mimic.ts';

/** More positions than this are said as the range that they span. */
const mostListed = 3;

type Device = Pick<DrawnDevice, 'position_pct' | 'isSwitch' | 'isUnbound'>;

/** The states of several devices in few words, and never as their mean; parts that no device is bound to have none. */
export function useStatesText(): {
  positionsText: (devices: readonly Device[]) => string;
  statesText: (devices: readonly Device[]) => string;
} {
  const { t } = useText();
  const format = useFormat();

  function positionsText(devices: readonly Device[]): string {
    const one = (pct: number | null): string => (pct === null ? t('ui.unknown') : format.quantity(pct, '%'));
    const bound = devices.filter(isBound);
    if (bound.length === 0 && devices.length > 0) return t('house.notBound');
    const positions = bound.map(({ position_pct }) => position_pct);
    const different = new Set(positions);
    if (different.size <= 1) return one(positions[0] ?? null);
    if (positions.length <= mostListed) return positions.map(one).join(' · ');
    const known = [...different].filter((pct) => pct !== null);
    const range = `${format.number(Math.min(...known))}–${one(Math.max(...known))}`;
    return different.has(null) ? `${range} · ${one(null)}` : range;
  }

  function statesText(devices: readonly Device[]): string {
    const bound = devices.filter(isBound);
    const [first, ...others] = bound;
    if (first === undefined || bound.some(({ isSwitch }) => !isSwitch)) return positionsText(devices);
    if (others.length === 0) return first.position_pct === null ? t('ui.unknown') : t(isOn(first) ? 'ui.on' : 'ui.off');
    const unknown = bound.filter(({ position_pct }) => position_pct === null).length;
    const told = t('map.place.someOn', { on: bound.filter(isOn).length, all: bound.length });
    return unknown === 0 ? told : `${told} · ${t('ui.unknown')}`;
  }

  return { positionsText, statesText };
}

const isBound = ({ isUnbound }: Device): boolean => isUnbound !== true;
const isOn = ({ position_pct }: Device): boolean => position_pct !== null && position_pct > 0;
