import type { AuditRepository } from '../db/repositories/audit.ts';
import { CommissioningAudit } from '../services/commissioning/audit.ts';
import { CommissioningService } from '../services/commissioning/commissioning.ts';
import type { DaemonConnections } from './daemon-connections.ts';
import type { Facilities } from './facilities.ts';
import type { ServiceParts } from './parts.ts';

/** Far more than the checks within the time for which ends are looked up. */
const knownEnds = 1_000;

/** Composes what starts commissioning checks, and what records their ends. */
export function composeCommissioning(parts: ServiceParts & DaemonConnections & Pick<Facilities, 'facilities'>) {
  const { repositories, begun } = parts;
  const commissioningAudit = new CommissioningAudit({
    ...parts,
    facilities: repositories.facilities,
    known: () => endedChecks(repositories.auditRecords),
  });
  begun.defer(() => commissioningAudit.stop());
  return {
    commissioning: new CommissioningService(parts),
    commissioningAudit,
  };
}

function endedChecks(records: AuditRepository): string[] {
  return records.list({ kind: 'commissioning.end', limit: knownEnds }).flatMap(({ target }) => target ?? []);
}
