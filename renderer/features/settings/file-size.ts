import type { Format } from '../../ui/format.ts';

/** A file's size in kB or MB. */
export function sizeText(bytes: number, format: Format): string {
  return bytes < 1e6 ? `${format.number(bytes / 1e3, 0)} kB` : `${format.number(bytes / 1e6, 1)} MB`;
}
