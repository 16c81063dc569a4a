import type { Material } from '../../../server/contract/material.ts';
import { capacity } from '../../i18n/en/capacity.ts';
import { useText } from '../../i18n/index.ts';

type KnownMaterial = keyof typeof capacity.materials;

function isKnown(code: string): code is KnownMaterial {
  return Object.hasOwn(capacity.materials, code);
}

/** Name of a covering in the language of the page; coverings added to the table keep the table's name. */
export function useMaterialName(): (material: Pick<Material, 'code' | 'name'>) => string {
  const { t } = useText();
  return ({ code, name }) => (isKnown(code) ? t(`capacity.materials.${code}`) : name);
}
