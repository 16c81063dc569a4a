import type { Language } from '../../server/contract/language.ts';
import { readEntries } from './file-entries.ts';
import { FileFault, type FaultName } from './file-fault.ts';
import { gather, withFaults, type FoundShapes } from './geojson.ts';

export interface FileAsked {
  file: File;
  language: Language;
}

/** Shapes that were found since the portion before, in which of how many entries. */
interface FilePortion extends FoundShapes {
  looked: number;
  of: number;
  isLast: boolean;
}

export type FileAnswer = FilePortion | { fault: FaultName; crs: string };

/** What is found in so long stops the page for some 30 ms when it receives it. */
const portionMs = 8;

/** Reads a file and answers with all of it in portions, or with its fault. */
export async function readInPortions({ file, language }: FileAsked, answer: (said: FileAnswer) => void): Promise<void> {
  try {
    const bytes = await file.arrayBuffer().catch(() => {
      throw new FileFault('unreadable'); // a folder, or a file that is gone
    });
    const { count, found } = readEntries(file.name, bytes, language);
    const begun = (looked: number): FilePortion => ({ shapes: [], skipped: [], looked, of: count, isLast: false });
    let portion = begun(0);
    let from = performance.now();
    for (const entry of withFaults(found)) {
      if (performance.now() - from > portionMs) {
        answer(portion);
        portion = begun(portion.looked);
        from = performance.now();
      }
      gather(entry, portion);
      portion.looked += 1;
    }
    answer({ ...portion, isLast: true });
  } catch (thrown) {
    if (!(thrown instanceof FileFault)) throw thrown;
    answer({ fault: thrown.fault, crs: thrown.crs });
  }
}
