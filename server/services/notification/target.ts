import { isoOf } from '../../contract/time.ts';
import { randomUUID } from 'node:crypto';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import {
  deliveryPlace,
  type NotificationTarget,
  type NotificationTargetChoice,
  type NotificationTargetCreate,
  type NotificationTargetPatch,
} from '../../contract/notification-target.ts';
import type { SecretSent } from '../../contract/secret.ts';
import type { Settings } from '../../contract/setting.ts';
import { messageOf as reasonOf } from '../../contract/message-of.ts';
import type { NotificationRepository, StoredTarget, TargetSettings } from '../../db/repositories/notification.ts';
import type { Transact } from '../../db/transaction.ts';
import { deliveryFaultOf } from '../../outbound/delivery-fault.ts';
import type { Deliver } from './delivery.ts';
import { messageOf } from './text.ts';

export interface TargetOptions {
  rows: NotificationRepository;
  secrets: Pick<SecretBox, 'seal' | 'open'>;
  deliver: Deliver;
  transact: Transact;
  audit: AuditSink;
  clock: Now;
  site: () => Pick<Settings, 'site_name' | 'time_zone' | 'language'>;
  /** Throws `in_use` if a controller sends to it. */
  refuseUsed: (id: string) => void;
}

/** The targets of alarms. Ids from paths arrive in lower case. */
export class NotificationTargetService {
  readonly #options: TargetOptions;

  constructor(options: TargetOptions) {
    this.#options = options;
  }

  list(): NotificationTarget[] {
    return this.#options.rows.targets().map(shown);
  }

  /** The part that anyone may see who has to name a target. */
  choices(): NotificationTargetChoice[] {
    return this.#options.rows.targets().map(({ settings: { unique_id, name, is_enabled, options } }) => ({
      unique_id,
      name,
      is_enabled,
      kind: options.kind,
    }));
  }

  /** Throws `not_found`. */
  get(id: string): NotificationTarget {
    return shown(this.#stored(id));
  }

  /** Throws `read_only_field` for the mark of a secret that does not exist. */
  create(
    actor: Actor,
    { secret, ...sent }: NotificationTargetCreate,
    unique_id: string = randomUUID(),
  ): NotificationTarget {
    const settings: TargetSettings = {
      unique_id,
      name: sent.name,
      is_enabled: sent.is_enabled ?? true,
      min_severity: sent.min_severity ?? 'warning',
      tells_end: sent.tells_end ?? false,
      language: sent.language ?? this.#options.site().language,
      most_per_minute: sent.most_per_minute ?? 4,
      repeat_min: sent.repeat_min ?? null,
      quiet_hours: sent.quiet_hours ?? null,
      options: sent.options,
    };
    return this.#save('create', actor, { settings, sealed_secret: this.#sealed(secret, null) });
  }

  /**
   * Changes what the patch names; a secret stays with the place that it was given for. Throws `not_found`,
   * `read_only_field`.
   */
  change(actor: Actor, id: string, { secret, options, ...sent }: NotificationTargetPatch): NotificationTarget {
    const before = this.#stored(id);
    const isSameKind = options?.kind === before.settings.options.kind;
    const changes = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
    const merged = isSameKind ? { ...before.settings.options, ...options } : (options ?? before.settings.options);
    const settings = { ...before.settings, ...changes, options: merged }; // each part was checked by its schema
    const kept = isSameKind || options === undefined ? before.sealed_secret : null;
    const isMoved = deliveryPlace(merged) !== deliveryPlace(before.settings.options);
    if (isMoved && kept !== null) refuseToFollow(secret);
    return this.#save('change', actor, { settings, sealed_secret: this.#sealed(secret, kept) }, before);
  }

  /** Throws `not_found`, `in_use`. */
  remove(actor: Actor, id: string): void {
    const { rows, transact, audit, refuseUsed } = this.#options;
    transact(() => {
      const before = this.get(id);
      refuseUsed(id);
      rows.removeTarget(id);
      audit.record({ kind: 'notification_target.delete', actor, target: id, before });
    });
  }

  /**
   * Sends a message now. Throws `not_found`, and `delivery_failed` with what the recipient or the connection reported.
   */
  async test(actor: Actor, id: string): Promise<NotificationTarget> {
    const { rows, audit, clock, deliver } = this.#options;
    const target = this.#stored(id);
    const at = isoOf(clock());
    const message = messageOf([], this.siteOf(target));
    const result = await this.#secretOf(target)
      .then((secret) => deliver({ options: target.settings.options, secret, message, outgoing: [], at }))
      .then(
        (said) => ({ at, is_delivered: true, fault: null, message: said }),
        (error: unknown) => ({ at, is_delivered: false, fault: deliveryFaultOf(error), message: reasonOf(error) }),
      );
    rows.saveResult(id, result);
    audit.record({ kind: 'notification_target.test', actor, target: id, after: result });
    if (!result.is_delivered) throw new Refusal('delivery_failed', result.message);
    return this.get(id);
  }

  /** What a message to this target needs to know about the site. */
  siteOf({ settings }: Pick<StoredTarget, 'settings'>): {
    name: string;
    time_zone: string;
    language: Settings['language'];
  } {
    const { site_name, time_zone } = this.#options.site();
    return { name: site_name, time_zone, language: settings.language };
  }

  async #secretOf({ sealed_secret }: StoredTarget): Promise<string | null> {
    return sealed_secret === null ? null : this.#options.secrets.open(sealed_secret);
  }

  #stored(id: string): StoredTarget {
    const stored = this.#options.rows.target(id);
    if (stored === undefined) throw new Refusal('not_found', 'there is no such target');
    return stored;
  }

  #save(
    verb: 'create' | 'change',
    actor: Actor,
    target: Pick<StoredTarget, 'settings' | 'sealed_secret'>,
    before?: StoredTarget,
  ): NotificationTarget {
    const { rows, transact, audit } = this.#options;
    const id = target.settings.unique_id;
    return transact(() => {
      rows.saveTarget(target);
      const after = this.get(id);
      audit.record({
        kind: `notification_target.${verb}`,
        actor,
        target: id,
        ...(before && { before: shown(before) }),
        after,
      });
      return after;
    });
  }

  #sealed(sent: SecretSent | null | undefined, kept: string | null): string | null {
    if (sent === undefined) return kept;
    if (typeof sent === 'string') return this.#options.secrets.seal(sent);
    if (sent !== null && kept === null) throw refuseField('read_only_field', 'secret', why('secret_not_set'));
    return sent === null ? null : kept;
  }
}

/** A secret given for one place is never sent to another: a user who may change the place need not know it. */
function refuseToFollow(sent: SecretSent | null | undefined): void {
  if (sent === null || typeof sent === 'string') return;
  throw refuseField('read_only_field', 'secret', why('secret_elsewhere'));
}

function shown({ settings, sealed_secret, waiting, last_result }: StoredTarget): NotificationTarget {
  return { ...settings, secret: sealed_secret === null ? null : { set: true }, waiting, last_result };
}
