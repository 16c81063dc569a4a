import type { ShallowRef } from 'vue';
import type { ReferenceReading } from '../../../server/contract/commissioning-accuracy.ts';
import { commissioningEndpoints } from '../../../server/contract/commissioning-endpoints.ts';
import type { CheckItem, CheckVerdict, CommissioningCheck } from '../../../server/contract/commissioning.ts';
import { useCall } from '../../client/client.ts';

interface Shown {
  ofFacility: () => { facility_uuid: string };
  check: ShallowRef<CommissioningCheck | null>;
  readList: () => Promise<void>;
  readCheck: () => Promise<void>;
}

interface OfCheck {
  facility_uuid: string;
  check_id: string;
}

/** What a person does with the check that is shown; nothing while there is none. */
export function useCheckDeeds({ ofFacility, check, readList, readCheck }: Shown) {
  const call = useCall();

  async function withCheck(work: (params: OfCheck) => Promise<void>): Promise<void> {
    if (check.value !== null) await work({ ...ofFacility(), check_id: check.value.check_id });
  }

  /** A deed that answers with the check as it is then. */
  const changed = (deed: (params: OfCheck) => Promise<CommissioningCheck>): Promise<void> =>
    withCheck(async (params) => {
      const answer = await deed(params);
      if (check.value?.check_id === answer.check_id) check.value = answer; // another may be shown by now
      await readList();
    });

  /** Gives the new check's id. */
  async function start(): Promise<string> {
    const { check_id } = await call(commissioningEndpoints.start, { params: ofFacility(), body: {} });
    await readList();
    return check_id;
  }

  const abort = () => changed((params) => call(commissioningEndpoints.abort, { params }));
  const retest = () => changed((params) => call(commissioningEndpoints.retest, { params }));
  const reopen = (reason: string) =>
    changed((params) => call(commissioningEndpoints.reopen, { params, body: { reason } }));

  const judge = (verdict: CheckVerdict) =>
    withCheck(async (params) => {
      await call(commissioningEndpoints.verdict, { params, body: verdict });
      await readCheck();
      await readList();
    });

  /** In the end shows what was given, also where one of them was refused. */
  const approveAll = (items: readonly Pick<CheckItem, 'device_id' | 'channel'>[]) =>
    withCheck(async (params) => {
      try {
        for (const { device_id, channel } of items) {
          const body = { device_id, verdict: 'approved' as const, ...(channel !== null && { channel }) };
          await call(commissioningEndpoints.verdict, { params, body });
        }
      } finally {
        await readCheck();
        await readList();
      }
    });

  const holdAgainst = (reading: ReferenceReading) =>
    withCheck(async (params) => {
      await call(commissioningEndpoints.accuracy, { params, body: reading });
      await readCheck();
    });

  return { start, abort, retest, reopen, judge, approveAll, holdAgainst };
}
