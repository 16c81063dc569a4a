import { refuseField } from '../../contract/errors.ts';
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

/** Throws `read_only_field` where a patch names another device. */
export function refuseOtherId(id: string, sent: string | undefined): void {
  if (sent !== undefined && sent !== id) throw refuseField('read_only_field', 'unique_id', 'cannot be changed');
}
