import { auditEndpoints } from '../../contract/audit.ts';
import { auditCsv } from '../../services/record/audit-csv.ts';
import type { AuditService } from '../../services/record/audit.ts';
import { defineRoute, Reply, type Route } from '../route.ts';

export function auditRoutes(audit: AuditService): Route[] {
  return [
    defineRoute(auditEndpoints.list, ({ query }) => audit.list(query)),
    defineRoute(auditEndpoints.csv, ({ query }) => {
      const headers = { 'Content-Disposition': 'attachment; filename="audit.csv"' };
      return new Reply(200, auditCsv(audit.export(query)), headers);
    }),
  ];
}
