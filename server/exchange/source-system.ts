import { Refusal } from '../contract/errors.ts';
import { systemOfCode, systemOfWkt, type ToDegrees } from './coordinate-system.ts';
import type { SourceFile } from './source-file.ts';

/** The coordinate system of a file; the caller's overrides the file's, which may be wrong. Throws `unknown_crs`. */
export function systemOf({ system }: SourceFile, said: string | undefined): { crs: string; toDegrees: ToDegrees } {
  const crs = said ?? (system !== null && 'code' in system ? system.code : undefined);
  if (crs !== undefined) return { crs, toDegrees: systemOfCode(crs) ?? refuseSystem(`${crs} is not known here`) };
  if (system === null || !('wkt' in system)) return refuseSystem('the file does not say its coordinate system');
  const toDegrees = systemOfWkt(system.wkt) ?? refuseSystem('the .prj does not say how it lies to WGS 84');
  return { crs: /^[A-Z_]+\["([^"]{1,100})"/i.exec(system.wkt)?.[1] ?? 'WKT', toDegrees };
}

function refuseSystem(why: string): never {
  throw new Refusal('unknown_crs', why);
}
