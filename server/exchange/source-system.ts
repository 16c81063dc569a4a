import { Refusal } from '../contract/errors.ts';
import { systemOfCode, systemOfWkt, type ToDegrees } from './coordinate-system.ts';
import type { SourceFile } from './source-file.ts';

/** The coordinate system of a file; the caller's overrides the file's, which may be wrong. Throws `unknown_crs`. */
export function systemOf({ system }: SourceFile, said: string | undefined): { crs: string; toDegrees: ToDegrees } {
  if (said !== undefined)
    return { crs: said, toDegrees: systemOfCode(said) ?? refuseSystem(`${said} is not known here`) };
  if (system === null) return refuseSystem('the file does not say its coordinate system');
  const { code, wkt } = system;
  const known = code === undefined ? null : systemOfCode(code);
  if (code !== undefined && known !== null) return { crs: code, toDegrees: known };
  const why = code === undefined ? 'the .prj does not say how it lies to WGS 84' : `${code} is not known here`;
  const toDegrees = (wkt === undefined ? null : systemOfWkt(wkt)) ?? refuseSystem(why);
  return { crs: code ?? /^[A-Z_]+\["([^"]{1,100})"/i.exec(wkt ?? '')?.[1] ?? 'WKT', toDegrees };
}

function refuseSystem(why: string): never {
  throw new Refusal('unknown_crs', why);
}
