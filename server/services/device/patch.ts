import { mergeByKey, type Fields } from '../setting/merge-by-key.ts';

interface Wired {
  driver: string;
  options: Fields;
}

/** A device's options after a patch; those for another driver start afresh. */
export function mergedOptions(
  before: Wired,
  patch: { driver?: string | undefined; options?: Fields | undefined },
): Fields {
  const stays = patch.driver === undefined || patch.driver === before.driver;
  return mergeByKey(stays ? before.options : {}, patch.options ?? {});
}
