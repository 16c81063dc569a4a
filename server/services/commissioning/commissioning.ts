import type { Actor, AuditSink } from '../../auth/actor.ts';
import { codeOf } from '../../contract/code-of.ts';
import type { ReferenceReading } from '../../contract/commissioning-accuracy.ts';
import type {
  CheckItem,
  CheckOverview,
  CheckPlan,
  CheckVerdict,
  CommissioningCheck,
} from '../../contract/commissioning.ts';
import type { CheckReport } from '../../contract/commissioning-endpoints.ts';
import { Refusal, refuseField, type ErrorCode } from '../../contract/errors.ts';
import { why, type RefusalReason } from '../../contract/refusal-reason.ts';
import type { Language } from '../../contract/language.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { Settings } from '../../contract/setting.ts';
import { chainOf } from './chain.ts';
import { reportPage } from './report.ts';
import { commandFailure, type CommissioningControl } from '../live/daemon-port.ts';
import type { FacilityService } from '../facility/facility.ts';
import { audited } from '../device/audited.ts';
import { actorName } from '../device/output-command.ts';

interface CommissioningOptions {
  daemon: CommissioningControl;
  facilities: Pick<FacilityService, 'get'>;
  audit: AuditSink;
  /** Name of the site and the zone that reports are written in. */
  settings: () => Pick<Settings, 'site_name' | 'time_zone'>;
}

interface CheckPath {
  facility_uuid: string;
  check_id: string;
}

/** The daemon's reasons for a refusal, and the code sent to the caller. */
const refusals: Readonly<Record<string, ErrorCode>> = {
  not_found: 'not_found',
  check_running: 'check_running',
  nothing_bound: 'nothing_bound',
  not_in_check: 'not_in_check',
  not_judgeable: 'not_judgeable',
  check_completed: 'check_completed',
  no_reading: 'no_reading',
  not_steady: 'not_steady',
};

/** Those that are sent as a conflict, with why. */
const conflicts: Readonly<Record<string, RefusalReason>> = {
  emergency_stopped: 'emergency_stopped',
  not_running: 'check_not_running',
  not_completed: 'check_not_completed',
  not_retestable: 'nothing_to_retest',
};

/**
 * Commissioning checks, which the daemon runs and stores. Throws `not_found`, and the errors of the link to the daemon.
 */
export class CommissioningService {
  readonly #options: CommissioningOptions;

  constructor(options: CommissioningOptions) {
    this.#options = options;
  }

  /** Throws `check_running`, `conflict` during an emergency stop, `nothing_bound`, `unknown_reference`. */
  async start(actor: Actor, facilityId: string, include?: readonly string[]): Promise<CommissioningCheck> {
    const { daemon, facilities, audit } = this.#options;
    const { sensors, actuators } = facilities.get(facilityId);
    const bound = new Set([...sensors, ...actuators].map(({ device_id }) => device_id));
    const unknown = include?.findIndex((id) => !bound.has(id)) ?? -1;
    if (unknown >= 0) throw refuseField('unknown_reference', `include[${unknown}]`, why('not_bound'));
    return audited(() => daemon.commissioning_start(facilityId, include, actorName(actor)), {
      audit,
      kind: 'commissioning.start',
      actor,
      target: facilityId, // of one that did not begin
      targetOf: ({ check_id }) => check_id,
      asked: { facility_uuid: facilityId, include },
      refused: refusalOf,
    });
  }

  /** Throws `nothing_bound`. */
  async plan(facilityId: string): Promise<CheckPlan> {
    this.#options.facilities.get(facilityId);
    return asked(() => this.#options.daemon.commissioning_plan(facilityId));
  }

  async list(facilityId: string): Promise<CheckOverview[]> {
    this.#options.facilities.get(facilityId);
    return asked(() => this.#options.daemon.commissioning_list(facilityId));
  }

  async get({ facility_uuid, check_id }: CheckPath): Promise<CommissioningCheck> {
    this.#options.facilities.get(facility_uuid);
    const check = await asked(() => this.#options.daemon.commissioning_get(check_id));
    if (check.facility_uuid !== facility_uuid) throw new Refusal('not_found', 'the facility has no such check');
    return check;
  }

  /** Throws `conflict` when it is already over. */
  async abort(actor: Actor, path: CheckPath): Promise<CommissioningCheck> {
    const before = await this.get(path);
    const { daemon, audit } = this.#options;
    return audited(() => daemon.commissioning_abort(path.check_id, actorName(actor)), {
      audit,
      kind: 'commissioning.abort',
      actor,
      target: path.check_id,
      before: standing(before),
      asked: { facility_uuid: path.facility_uuid },
      after: standing,
      refused: refusalOf,
    });
  }

  /**
   * Tests undecided items again. Throws `conflict` when there are none, the check cannot be judged or everything is
   * stopped, `check_running`.
   */
  async retest(actor: Actor, path: CheckPath): Promise<CommissioningCheck> {
    const before = await this.get(path);
    const { daemon, audit } = this.#options;
    return audited(() => daemon.commissioning_retest(path.check_id, actorName(actor)), {
      audit,
      kind: 'commissioning.retest',
      actor,
      target: path.check_id,
      before: { results: before.summary.results, sha256: chainOf(before).sha256 },
      asked: { facility_uuid: path.facility_uuid },
      after: standing,
      refused: refusalOf,
    });
  }

  /** Reopens a completed check for judgement. Throws `conflict` when it is not completed. */
  async reopen(actor: Actor, path: CheckPath, reason: string): Promise<CommissioningCheck> {
    const before = await this.get(path);
    const { daemon, audit } = this.#options;
    return audited(() => daemon.commissioning_reopen(path.check_id, reason, actorName(actor)), {
      audit,
      kind: 'commissioning.reopen',
      actor,
      target: path.check_id,
      before: { status: before.status, sha256: chainOf(before).sha256 },
      asked: { facility_uuid: path.facility_uuid, reason },
      after: (check) => ({ status: check.status, sha256: chainOf(check).sha256 }),
      refused: refusalOf,
    });
  }

  /** Throws `not_in_check`, `not_judgeable`, `check_completed`. The present end of the chain goes to the audit. */
  async verdict(actor: Actor, path: CheckPath, sent: CheckVerdict): Promise<CheckItem> {
    const { daemon, audit } = this.#options;
    const { items } = await this.get(path);
    const { device_id, channel, verdict, reason, note } = sent;
    const former = items.find((one) => one.device_id === device_id && one.channel === (channel ?? one.channel));
    return audited(() => daemon.commissioning_verdict(path.check_id, sent, actorName(actor)), {
      audit,
      kind: 'commissioning.verdict',
      actor,
      target: path.check_id,
      before: former && judged(former),
      asked: { facility_uuid: path.facility_uuid, device_id, channel, verdict, verdict_reason: reason, note },
      after: async (item) => ({ ...judged(item), ...(await this.#seal(path)) }),
      refused: refusalOf,
    });
  }

  /**
   * Throws `not_in_check`, `not_judgeable`, `check_completed`, `no_reading`, `not_steady`. The point and the end of the
   * chain go to the audit.
   */
  async holdAgainst(actor: Actor, path: CheckPath, sent: ReferenceReading): Promise<CheckItem> {
    const { daemon, audit } = this.#options;
    await this.get(path);
    const { device_id, measurement_id, point, reference } = sent;
    return audited(() => daemon.commissioning_accuracy(path.check_id, sent, actorName(actor)), {
      audit,
      kind: 'commissioning.accuracy',
      actor,
      target: path.check_id,
      asked: { facility_uuid: path.facility_uuid, device_id, measurement_id, point: { point, reference } },
      after: async ({ role, accuracy }) => {
        const { points = [], gain, offset, passed } = accuracy ?? {};
        return { role, point: points.at(-1), gain, offset, passed, ...(await this.#seal(path)) };
      },
      refused: refusalOf,
    });
  }

  async report(path: CheckPath, language: Language): Promise<string> {
    const check = await this.get(path);
    const { site_name: siteName, time_zone: timeZone } = this.#options.settings();
    return reportPage(check, { language, siteName, timeZone, sha256: chainOf(check).sha256 });
  }

  async reportJson(path: CheckPath): Promise<CheckReport> {
    return chainOf(await this.get(path));
  }

  /** The status and the end of the chain; null when the daemon no longer answers: the deed is recorded all the same. */
  async #seal(path: CheckPath): Promise<{ status: CommissioningCheck['status'] | null; sha256: string | null }> {
    const check = await this.get(path).catch(() => null);
    return { status: check?.status ?? null, sha256: check && chainOf(check).sha256 };
  }
}

async function asked<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw refusalOf(error) ?? commandFailure(error);
  }
}

/** The daemon's own refusals; undefined for a failed call. */
function refusalOf(error: unknown): Refusal | undefined {
  const [code, message] = [codeOf(error) ?? '', messageOf(error)];
  const reason = conflicts[code];
  if (reason !== undefined) return new Refusal('conflict', { message, why: reason }, { cause: error });
  const known = refusals[code];
  return known && new Refusal(known, message, { cause: error });
}

function standing({ status, reason, progress }: CommissioningCheck) {
  return { status, reason, progress };
}

function judged({ device_id, channel, role, verdict, verdict_reason, note }: CheckItem) {
  return { device_id, channel, role, verdict, verdict_reason, note };
}
