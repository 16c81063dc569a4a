import { isoOf } from '../../contract/time.ts';
import type { Alert } from '../../contract/facility.ts';

/** An alert whose start is known to those who looked before: of a reading alone, or of what nobody activated. */
export type UndatedAlert = Omit<Alert, 'since'>;

/** Remembers since when an alert has been continuously present, as far as the facility was polled. */
export class AlertOnsets {
  readonly #byFacility = new Map<string, Map<string, number>>();

  /** Whether the facility had the alert at the last poll. */
  has(facilityId: string, alert: Pick<UndatedAlert, 'code' | 'role' | 'name'>): boolean {
    return this.#byFacility.get(facilityId)?.has(nameOf(alert)) === true;
  }

  /** The present alerts of a facility, each with its start. */
  since(facilityId: string, alerts: readonly UndatedAlert[], nowMs: number): Alert[] {
    const before = this.#byFacility.get(facilityId);
    const now = new Map(alerts.map((alert) => [nameOf(alert), before?.get(nameOf(alert)) ?? nowMs]));
    if (now.size > 0) this.#byFacility.set(facilityId, now);
    else this.#byFacility.delete(facilityId);
    return alerts.map((alert) => ({ ...alert, since: isoOf(now.get(nameOf(alert)) ?? nowMs) }));
  }
}

function nameOf({ code, role, name }: Pick<UndatedAlert, 'code' | 'role' | 'name'>): string {
  return `${code} ${role ?? ''} ${name ?? ''}`;
}
