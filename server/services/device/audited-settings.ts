import { z } from 'zod';
import type { AuditRepository } from '../../db/repositories/audit.ts';

/** Of a revision older than these the changes since are not listed. */
const mostRecords = 200;
const revised = z.looseObject({ revision: z.number() });

/** Returns the settings of a revision from the audit; undefined when it is not there. */
export function settingsAt(
  records: Pick<AuditRepository, 'list'>,
  { kind, id, revision }: { kind: string; id: string; revision: number },
): object | undefined {
  for (const { before } of records.list({ kind, target: id, limit: mostRecords })) {
    const { data } = revised.safeParse(JSON.parse(before ?? 'null'));
    if (data?.revision === revision) return data;
  }
  return undefined;
}
