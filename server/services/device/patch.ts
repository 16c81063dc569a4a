import { mergeByKey, type Fields } from '../setting/merge-by-key.ts';

interface Wired {
  driver: string;
  options: Fields;
}

/** Options of a device after a patch; those of another driver begin anew. */
export function mergedOptions(
  before: Wired,
  patch: { driver?: string | undefined; options?: Fields | undefined },
): Fields {
  const stays = patch.driver === undefined || patch.driver === before.driver;
  return mergeByKey(stays ? before.options : {}, patch.options ?? {});
}
