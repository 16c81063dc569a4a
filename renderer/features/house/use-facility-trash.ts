import { shallowRef, type ShallowRef } from 'vue';
import type { Facility } from '../../../server/contract/facility.ts';
import { useText } from '../../i18n/index.ts';
import { useFacilities } from '../../stores/facility.ts';
import { describeError, useNotice } from '../../stores/notice.ts';

export interface FacilityTrash {
  isBusy: ShallowRef<boolean>;
  /** True when it is in the trash; the notice offers to restore it. */
  remove: (facility: Facility) => Promise<boolean>;
  restore: (facility: Facility) => Promise<boolean>;
}

/** Deletes and restores a house, with notices. */
export function useFacilityTrash(): FacilityTrash {
  const { t } = useText();
  const facilities = useFacilities();
  const notice = useNotice();
  const isBusy = shallowRef(false);

  async function attempt(change: () => Promise<void>): Promise<boolean> {
    isBusy.value = true;
    try {
      await change();
      return true;
    } catch (error) {
      notice.problem(describeError(error, t));
      return false;
    } finally {
      isBusy.value = false;
    }
  }

  async function restore({ unique_id, name }: Facility): Promise<boolean> {
    const isBack = await attempt(() => facilities.restore(unique_id));
    if (isBack) notice.done(t('house.restored', { name }));
    return isBack;
  }

  async function remove(facility: Facility): Promise<boolean> {
    if (!(await attempt(() => facilities.remove(facility.unique_id)))) return false;
    const undo = { label: t('ui.undo'), run: () => void restore(facility) };
    notice.done(t('house.deleted', { name: facility.name }), undo);
    return true;
  }

  return { isBusy, remove, restore };
}
