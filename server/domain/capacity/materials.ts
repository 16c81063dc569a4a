import { materialList, type Material } from '../../contract/facility.ts';
import table from '../../../resources/materials.json' with { type: 'json' };

/** The coverings and screens that ship with the product, checked against their schema. */
export const materials: readonly Material[] = materialList.parse({ materials: table }).materials;

/** A code that the table lacks. `path` is the field with the code, `codes` the valid ones. */
export class UnknownMaterialError extends Error {
  readonly code = 'unknown_material';
  readonly path: string;
  readonly codes: readonly string[];

  constructor(sent: string, path: string, table: readonly Material[]) {
    const codes = table.filter((row) => row.kind === 'cover').map((row) => row.code);
    super(`${path}: unknown material "${sent}"; known are ${codes.join(', ')}`);
    this.name = 'UnknownMaterialError';
    this.path = path;
    this.codes = codes;
  }
}

/** The row of `code`. Throws UnknownMaterialError. */
export function findMaterial(code: string, path: string, table: readonly Material[] = materials): Material {
  const row = table.find((one) => one.code === code);
  if (row === undefined) throw new UnknownMaterialError(code, path, table);
  return row;
}
