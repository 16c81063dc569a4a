import { unzipSync } from 'fflate';
import { Refusal } from '../contract/errors.ts';
import { unreadable } from './source-file.ts';

export interface ZipEntry {
  name: string;
  bytes: Buffer;
}

const wanted = /\.(shp|dbf|prj|cpg|geojson|json)$/i;
/** Maximum unpacked size of all wanted parts. A zip bomb declares more, or has no room for more than it declares. */
const mostBytes = 400_000_000;
const mostEntries = 40;

/** The parts of a ZIP that hold parcels. Throws `unreadable_file`, `payload_too_large`. */
export function openZip(bytes: Buffer): ZipEntry[] {
  let total = 0;
  let count = 0;
  try {
    const entries = unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        if (!wanted.test(name) || name.includes('__MACOSX')) return false;
        total += originalSize;
        count += 1;
        if (total > mostBytes || count > mostEntries) throw tooLarge();
        return true;
      },
    });
    return Object.entries(entries).map(([name, part]) => ({ name, bytes: bufferOf(part) }));
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw unreadable('the ZIP is damaged', error);
  }
}

function bufferOf(part: Uint8Array): Buffer {
  return Buffer.from(part.buffer, part.byteOffset, part.byteLength);
}

function tooLarge(): Refusal {
  return new Refusal('payload_too_large', `unpacked it may have ${mostBytes} bytes in ${mostEntries} files`);
}
