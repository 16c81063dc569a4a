import type { Format } from '../../ui/format.ts';
import type { Translate } from '../../i18n/index.ts';
import type { Part, PartState } from '../../scene/part.ts';
import type { ActuatorRole, Curtain, Face, Fan, SensorRole } from '../../../server/contract/facility.ts';

interface Words {
  t: Translate;
  format: Format;
}

/** The name of a part; its kind when it has none. */
export function partName(part: Part, t: Translate): string {
  return part.name === '' ? kindName(part, t) : part.name;
}

/** The kind of a part; `kind` names one from its role's list. */
export function kindName({ role, kind }: Part, t: Translate): string {
  switch (role) {
    case 'opening':
      return t(`facility.faces.${kind as Face}`);
    case 'curtain':
      return t(`facility.curtainKinds.${kind as Curtain['kind']}`);
    case 'fan':
      return t(`facility.fanKinds.${kind as Fan['kind']}`);
    case 'actuator':
    case 'sensor':
      return t(`role.${kind as ActuatorRole | SensorRole}`);
    case 'roof':
    case 'side_wall':
    case 'end_wall':
    case 'frame':
    case 'crop':
      return t(`model.kind.${role}`);
  }
}

/** The size of a part in words; empty when nothing is known. */
export function sizeText({ category, size }: Part, { t, format }: Words): string {
  const { area_m2, width_m, height_m, count } = size;
  const each =
    width_m === undefined || height_m === undefined
      ? width_m === undefined
        ? ''
        : `⌀ ${format.quantity(width_m, 'm', 1)}`
      : `${format.quantity(width_m, 'm', 1)} × ${format.quantity(height_m, 'm', 1)}`;
  const pieces = count !== undefined && count > 1 && each !== '' ? t('model.pieces', { n: count, size: each }) : each;
  const layers = category === 'curtains' && count !== undefined ? `${t('facility.curtainLayers')} ${count}` : '';
  return [area_m2 === undefined ? '' : format.quantity(area_m2, 'm2'), pieces, layers]
    .filter((one) => one !== '')
    .join(' · ');
}

/** The state of a part; null for one that cannot move. */
export function stateText({ category, motion }: Part, state: PartState, { t, format }: Words): string | null {
  if (motion.kind === 'fixed') return null;
  if (state === 'unknown') return t('ui.unknown');
  if (state === 'undriven') return t('model.undriven');
  const ends = endWords(category);
  if (state === 0) return t(ends.none);
  return state === 100 ? t(ends.all) : format.quantity(state, '%');
}

function endWords(category: Part['category']) {
  if (category === 'openings') return { none: 'model.closed', all: 'model.opened' } as const;
  if (category === 'curtains') return { none: 'model.drawnIn', all: 'model.drawnOut' } as const;
  return { none: 'ui.off', all: 'ui.on' } as const;
}
