const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Fields that name the same kind of thing. */
const aliases: Record<string, string> = {
  geo_id: 'design_id',
  map_uuid: 'design_id',
  facility_uuid: 'facility_id',
  shape_uuid: 'overlay_id',
  deleted: 'overlay_id',
  features: 'overlay_id',
  feature_id: 'overlay_id',
  actuator_device_id: 'device_id',
  controller_id: 'device_id',
  alarm_ids: 'alarm_id',
};

/** Identifiers seen in answers, by kind, so that later requests reach existing things. */
export class KnownIds {
  readonly #byField = new Map<string, string[]>();
  readonly #except: ReadonlySet<string>;

  /** `except` are never returned, for example the user that sends the requests. */
  constructor(except: readonly string[]) {
    this.#except = new Set(except);
  }

  /** Remembers the identifiers of an answer to a call on the resource `tag`. */
  learn(tag: string, body: unknown): void {
    if (typeof body !== 'object' || body === null) return;
    for (const [name, value] of Object.entries(body) as [string, unknown][]) {
      // A list is named after its items.
      if (Array.isArray(value))
        value.forEach((item) => this.learn(name, typeof item === 'string' ? { [name]: item } : item));
      else if (typeof value !== 'string' || !uuid.test(value)) this.learn(tag, value);
      else if (name === 'unique_id') this.#add(`${tag.replace(/ies$/, 'y').replace(/s$/, '')}_id`, value);
      else this.#add(name, value);
    }
  }

  /** Forgets all. */
  clear(): void {
    this.#byField.clear();
  }

  /** One of them for a field; undefined if none is known. */
  pick(field: string, die: number): string | undefined {
    const kind = aliases[field] ?? field;
    const ids = [...(this.#byField.get(kind) ?? []), ...(kind === 'device_id' ? this.#devices() : [])];
    return ids[die % ids.length];
  }

  #devices(): string[] {
    return ['input_id', 'output_id'].flatMap((kind) => this.#byField.get(kind) ?? []);
  }

  #add(field: string, id: string): void {
    if (this.#except.has(id)) return;
    const kind = aliases[field] ?? field;
    const ids = this.#byField.get(kind) ?? [];
    if (!ids.includes(id)) ids.push(id);
    // The latest are the ones that still exist.
    this.#byField.set(kind, ids.slice(-20));
  }
}
