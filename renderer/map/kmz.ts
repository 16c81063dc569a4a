import { strToU8, unzipSync, zipSync } from 'fflate';
import { FileFault } from './file-fault.ts';

/** Unpacked. A bomb says more. */
const mostBytes = 100_000_000;

/** The KML of a KMZ: the first in it, as OGC 07-147r2 has it. Throws FileFault. */
export function kmlOf(bytes: ArrayBuffer): ArrayBuffer {
  let isFound = false;
  try {
    const entries = unzipSync(new Uint8Array(bytes), {
      filter: ({ name, originalSize }) => {
        const isWanted = !isFound && /\.kml$/i.test(name) && originalSize <= mostBytes;
        isFound ||= isWanted;
        return isWanted;
      },
    });
    const [kml] = Object.values(entries);
    if (kml !== undefined) return new Uint8Array(kml).buffer;
  } catch {
    throw new FileFault('damagedZip');
  }
  throw new FileFault('notKmz');
}

export function kmzOf(kml: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(zipSync({ 'doc.kml': strToU8(kml) }, { level: 6 }));
}
