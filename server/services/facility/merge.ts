import type { Facility, FacilitySave } from '../../contract/facility.ts';
import { mergeByKey, type Fields } from '../setting/merge-by-key.ts';

/** Fields that a save may send back but not change. `revision` has its own rule. */
export const readOnlyFields = ['geo_id', 'created_at', 'updated_at'] as const;

/** The facility after merging a save, not yet validated: it may lack a required field. */
export function applySave(before: Partial<Facility>, sent: FacilitySave): Fields {
  const { geo_id: _g, revision: _r, created_at: _c, updated_at: _u, ...patch } = sent;
  return mergeByKey(before, { ...patch, ...(patch.notes === null ? { notes: '' } : {}) });
}
