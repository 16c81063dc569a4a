import { isDeepStrictEqual } from 'node:util';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { SecretBox } from '../../auth/secret-box.ts';
import { alarmBands } from '../../contract/alarm-limits.ts';
import { refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { ProviderId } from '../../contract/provider.ts';
import { refuseUnknownChannels } from './interlock.ts';
import { settings, type Settings, type SettingsPatch } from '../../contract/setting.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';
import type { SettingRepository } from '../../db/repositories/setting.ts';
import type { Transact } from '../../db/transaction.ts';
import { mergeByKey } from './merge-by-key.ts';
import { defaultSettings } from './defaults.ts';
import { isTree, overlay, type Tree } from './merge.ts';
import { sealedAt, sealedIn, sealLayerPasswords, sealProviderKeys, withoutSecrets } from './secret.ts';

export interface SettingOptions {
  rows: SettingRepository;
  /** Interlocks join existing outputs. */
  outputs: Pick<OutputRepository, 'get'>;
  audit: AuditSink;
  transact: Transact;
  /** Seals keys and passwords of outside services. */
  secrets: Pick<SecretBox, 'seal' | 'open'>;
  /** IANA time zone assumed for the site until it is set; by default the machine's. */
  timeZone?: string;
}

/** The settings of the site and the map: changes over the defaults. */
export class SettingService {
  readonly #options: SettingOptions;
  readonly #defaults: Settings;
  /** Cached: every tile and command reads the settings, and they hardly ever change. */
  #last: { text: string; settings: Settings } | null = null;

  constructor(options: SettingOptions) {
    this.#options = options;
    this.#defaults = defaultSettings(options.timeZone ?? Intl.DateTimeFormat().resolvedOptions().timeZone);
  }

  /** The settings of a new installation. */
  get defaults(): Settings {
    return this.#defaults;
  }

  /** The same frozen object until a setting changes, whoever changes it. */
  get(): Settings {
    const text = this.#options.rows.text();
    if (this.#last?.text !== text) this.#last = { text, settings: frozen(this.#shown(this.#options.rows.all())) };
    return this.#last.settings;
  }

  /** The key of an outside service; undefined when none is set. Throws `SecretBoxError` when it cannot be read. */
  providerKey(id: ProviderId): string | undefined {
    const stored = this.#options.rows.all()['providers'];
    return this.#opened(isTree(stored) ? stored[id] : undefined, 'key');
  }

  /**
   * The password of a layer (id in lower case); undefined when none is set. Throws `SecretBoxError` like `providerKey`.
   */
  wmsPassword(id: string): string | undefined {
    const stored = this.#options.rows.all()['wms_layers'];
    const layers: unknown[] = Array.isArray(stored) ? stored : [];
    const layer = layers.find((one) => isTree(one) && one['unique_id'] === id);
    return this.#opened(layer, 'password');
  }

  /** Changes what the patch names and returns the whole. Throws `invalid_field`, `read_only_field`. */
  save(patch: SettingsPatch, actor: Actor): Settings {
    return this.#options.transact(() => {
      const stored = this.#options.rows.all();
      const merged = this.#merged(stored, patch);
      const [before, after] = [this.#shown(stored), this.#shown(merged)];
      refuseContradiction(after);
      if (patch.safety?.interlocks) refuseUnknownChannels(after.safety.interlocks, this.#options.outputs);
      const changed = keysOf(after).filter(
        (key) =>
          // A new secret looks like the one before it.
          !isDeepStrictEqual([after[key], sealedIn(merged[key])], [before[key], sealedIn(stored[key])]),
      );
      if (changed.length === 0) return before;
      this.#options.rows.save(Object.fromEntries(changed.map((key) => [key, merged[key]])));
      this.#options.audit.record({
        kind: 'setting.save',
        actor,
        before: pick(before, changed),
        after: pick(after, changed),
      });
      return after;
    });
  }

  #shown(stored: Tree): Settings {
    return settings.parse(withoutSecrets(overlay(this.#defaults, stored)));
  }

  #merged(stored: Tree, patch: SettingsPatch): Tree {
    const box = this.#options.secrets;
    const { providers, wms_layers, alarm_limits, ...others } = patch;
    const sealed: Tree = {
      ...others,
      ...(providers && { providers: sealProviderKeys(providers, { box, stored: stored['providers'] }) }),
      ...(wms_layers && { wms_layers: sealLayerPasswords(wms_layers, { box, stored: stored['wms_layers'] }) }),
    };
    const merged = mergeByKey(stored, sealed);
    // A null limit is one that is off; it does not fall back to the defaults.
    if (alarm_limits !== undefined) merged['alarm_limits'] = overlay(stored['alarm_limits'] ?? {}, alarm_limits);
    return merged;
  }

  #opened(stored: unknown, member: string): string | undefined {
    const kept = sealedAt(stored, member);
    return kept && this.#options.secrets.open(kept.sealed);
  }
}

function refuseContradiction({ zoom, max_zoom, time_zone, alarm_limits }: Settings): void {
  if (zoom > max_zoom) throw refuseField('invalid_field', 'zoom', why('zoom_above_most', { most: max_zoom }));
  for (const [low, high] of alarmBands) {
    const [least, most] = [alarm_limits[low], alarm_limits[high]];
    if (least === null || most === null || least < most) continue;
    throw refuseField('invalid_field', `alarm_limits.${low}`, why('limit_order', { high, most }));
  }
  try {
    new Intl.DateTimeFormat('en', { timeZone: time_zone });
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw refuseField('invalid_field', 'time_zone', why('no_time_zone'));
  }
}

function frozen<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

function keysOf(whole: Settings): (keyof Settings)[] {
  return Object.keys(whole) as (keyof Settings)[]; // the object has no other keys: its schema is strict
}

function pick(whole: Settings, keys: (keyof Settings)[]): Partial<Settings> {
  return Object.fromEntries(keys.map((key) => [key, whole[key]]));
}
