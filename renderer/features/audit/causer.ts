import { z } from 'zod';
import type { AuditRecord } from '../../../server/contract/audit.ts';

const caused = z.object({ cause: z.object({ name: z.string() }) });

/** The name of the controller behind a record; undefined when there is none. */
export function causerOf(after: AuditRecord['after']): string | undefined {
  return caused.safeParse(after).data?.cause.name;
}
