import type { Actor, AuditSink } from '../../auth/actor.ts';
import { codeOf } from '../../contract/code-of.ts';
import { byUrgency, type Alarm, type alarmEndpoints } from '../../contract/alarm.ts';
import { deviceSays } from '../../contract/device-words.ts';
import type { AnswerOf, BodyOf, QueryOf } from '../../contract/endpoint.ts';
import { Refusal, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { isoOf, type Moment } from '../../contract/time.ts';
import { messageOf } from '../../contract/message-of.ts';
import type { AlarmRepository } from '../../db/repositories/alarm.ts';
import type { AlarmControl } from '../live/daemon-port.ts';
import type { LiveCache } from '../live/live.ts';
import { audited } from '../device/audited.ts';
import { actorName } from '../device/output-command.ts';

interface AlarmOptions {
  daemon: AlarmControl;
  live: Pick<LiveCache, 'alarms' | 'daemonState' | 'daemonSinceMs' | 'endedBy'>;
  /** The journal, in control.db. */
  journal: Pick<AlarmRepository, 'journal'>;
  audit: AuditSink;
}

type Endpoints = typeof alarmEndpoints;
type Deed = 'acknowledge' | 'unshelve' | 'remove_from_service' | 'return_to_service';

const defaultLimit = 100; // entries
/** Id of the one alarm that the daemon cannot raise: its own absence. */
const daemonDownId = '00000000-0000-8000-8000-000000000001';

/** The alarms of the site, which the daemon keeps. Ids from paths arrive in lower case. */
export class AlarmService {
  readonly #options: AlarmOptions;

  constructor(options: AlarmOptions) {
    this.#options = options;
  }

  /** Most urgent first, then newest. */
  list(query: QueryOf<Endpoints['list']> = {}): Alarm[] {
    const down = this.#daemonDown();
    const found = [...down, ...this.#options.live.alarms()].filter(
      (alarm) =>
        // Both would report that it was stopped, and by whom.
        (down.length === 0 || alarm.code !== 'daemon_stopped') &&
        (query.state ?? alarm.state) === alarm.state &&
        (query.severity ?? alarm.severity) === alarm.severity &&
        (query.code ?? alarm.code) === alarm.code &&
        (query.source_id ?? alarm.source_id) === alarm.source_id,
    );
    return found.sort(byUrgency);
  }

  /** Latest first. Throws `invalid_field` for a cursor that is not its own. */
  journal(query: QueryOf<Endpoints['journal']>): AnswerOf<Endpoints['journal']> {
    const limit = query.limit ?? defaultLimit;
    const found = this.#options.journal.journal({
      from: storedTime(query.from),
      to: storedTime(query.to),
      alarm_id: query.alarm_id ?? null,
      code: query.code ?? null,
      severity: query.severity ?? null,
      transition: query.transition ?? null,
      source_id: query.source_id ?? null,
      before: ordinalOf(query.cursor),
      limit: limit + 1,
    });
    const entries = found.slice(0, limit);
    const last = found.length > limit ? entries.at(-1) : undefined;
    return { entries, next_cursor: last === undefined ? null : String(last.ordinal) };
  }

  /**
   * Throws `not_found`, `conflict` if the state does not allow it, and the errors of the connection to the daemon. So
   * do the next two.
   */
  async change(deed: Deed, actor: Actor, sent: { alarm_id: string; reason?: string | undefined }): Promise<Alarm> {
    const { daemon } = this.#options;
    const { alarm_id, reason } = sent;
    return this.#audited(`alarm.${deed}`, { actor, alarm_id, reason }, () =>
      daemon[`alarm_${deed}`](alarm_id, actorName(actor), reason),
    );
  }

  async shelve(actor: Actor, alarm_id: string, sent: BodyOf<Endpoints['shelve']>): Promise<Alarm> {
    const { duration_s, reason } = sent;
    return this.#audited('alarm.shelve', { actor, alarm_id, reason }, () =>
      this.#options.daemon.alarm_shelve(alarm_id, duration_s, actorName(actor), reason),
    );
  }

  /** Acknowledges those that allow it; throws `conflict` when none does. */
  async acknowledgeMany(
    actor: Actor,
    { alarm_ids, reason }: BodyOf<Endpoints['acknowledgeMany']>,
  ): Promise<AnswerOf<Endpoints['acknowledgeMany']>> {
    const alarms: Alarm[] = [];
    const refused: string[] = [];
    for (const alarm_id of new Set(alarm_ids)) {
      try {
        alarms.push(await this.change('acknowledge', actor, { alarm_id, reason }));
      } catch (error) {
        if (!['not_found', 'conflict'].includes(codeOf(error) ?? '')) throw error;
        refused.push(alarm_id);
      }
    }
    if (alarms.length === 0) throw new Refusal('conflict', why('nothing_to_acknowledge'));
    return { alarms, refused };
  }

  async #audited(
    kind: string,
    { actor, alarm_id, reason }: { actor: Actor; alarm_id: string; reason: string | undefined },
    run: () => Promise<Alarm>,
  ): Promise<Alarm> {
    if (alarm_id === daemonDownId) throw new Refusal('conflict', why('alarm_ends_itself'));
    const before = this.#options.live.alarms().find((one) => one.alarm_id === alarm_id);
    return audited(run, {
      audit: this.#options.audit,
      kind,
      actor,
      target: alarm_id,
      before: before && { ...named(before), state: before.state },
      asked: { ...(reason && { reason }) },
      after: (alarm) => ({ ...named(alarm), ...standing(alarm) }),
      refused: alarmRefusal,
    });
  }

  #daemonDown(): Alarm[] {
    const { daemonState, daemonSinceMs, endedBy } = this.#options.live;
    if (daemonState !== 'unreachable') return [];
    const at = isoOf(daemonSinceMs);
    return [
      {
        alarm_id: daemonDownId,
        code: 'daemon_down',
        severity: 'emergency',
        state: 'unacknowledged',
        source_kind: 'daemon',
        source_id: 'daemon',
        source_name: null,
        channel: null,
        role: null,
        name: null,
        value: null,
        limit: null,
        unit: null,
        is_raised: true,
        caused_by: null,
        is_first_out: true,
        message: endedBy === null ? null : deviceSays('told_to_end', { name: endedBy }),
        occurrences: 1,
        raised_at: at,
        changed_at: at,
        acknowledged_by: null,
        acknowledged_at: null,
        shelved_until: null,
      },
    ];
  }
}

/** Which alarm it is, for the audit. */
function named({ code, source_name, role }: Alarm): object {
  return { code, source_name, ...(role && { role }) };
}

function standing({ state, shelved_until }: Alarm): object {
  return { state, ...(shelved_until && { shelved_until }) };
}

function alarmRefusal(error: unknown): Refusal | undefined {
  const code = codeOf(error);
  const message = messageOf(error);
  if (code === 'not_found') return new Refusal(code, message, { cause: error });
  if (code === 'conflict') return new Refusal(code, { ...why('alarm_not_now'), message }, { cause: error });
  return undefined;
}

function storedTime(sent: Moment | undefined): string | null {
  return sent === undefined ? null : isoOf(sent);
}

function ordinalOf(cursor: string | undefined): number | null {
  if (cursor === undefined) return null;
  if (!/^\d{1,15}$/.test(cursor)) throw refusePlainly('invalid_field', 'cursor', 'is not a next_cursor of this list');
  return Number(cursor);
}
