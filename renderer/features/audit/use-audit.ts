import { auditEndpoints, type AuditQuery, type AuditRecord } from '../../../server/contract/audit.ts';
import { useCall } from '../../client/client.ts';
import { usePages, type Pages } from '../../ui/pages.ts';

/** The audit, newest first, page by page. */
export function useAudit(): Pages<AuditRecord, AuditQuery> {
  const call = useCall();
  return usePages<AuditRecord, AuditQuery>(async (query) => {
    const { audit, next_cursor } = await call(auditEndpoints.list, { query });
    return { items: audit, next_cursor };
  }, {});
}
