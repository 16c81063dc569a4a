import { isRefusal, type ErrorCode } from '../../contract/errors.ts';
import type { Gate } from '../../outbound/gate.ts';
import { UpstreamError } from '../../outbound/outbound-error.ts';
import type { Kept, RelayCache } from '../../tiles/relay-cache.ts';
import type { ProviderQuestion } from '../../upstream/question.ts';
import { pictureTypeOf, pictureTypes } from '../../tiles/picture.ts';
import { refusalOf } from './refusal.ts';

/** A provider's answer, and where it came from. */
export interface Relayed extends Kept {
  age_s: number;
  /** How much longer it counts as fresh, s. */
  fresh_s: number;
  /** `stale`: the last good answer, as the provider has none now. */
  source: 'asked' | 'kept' | 'stale';
}

interface RelayOptions {
  gate: Pick<Gate, 'ask'>;
  cache: Pick<RelayCache, 'get' | 'put'>;
  /** Epoch ms. */
  now: () => number;
}

/** Media types of what is not JSON; WMS 1.1.1 (OGC 01-068r3, 6.5.3) has its own for capabilities. */
const typesOf = {
  picture: pictureTypes,
  text: ['text/plain'],
  xml: ['text/xml', 'application/xml', 'application/vnd.ogc.wms_xml', 'application/vnd.ogc.gml', 'application/gml+xml'],
} as const;

/** Errors that a person must fix are returned, not covered by an old answer. */
const notCovered: readonly ErrorCode[] = ['provider_key_refused', 'provider_refused'];

/**
 * Asks providers through the cache: one request for all who ask for the same at once, and the last good answer while
 * there is no new one.
 */
export class Relay {
  readonly #options: RelayOptions;
  readonly #asked = new Map<string, Promise<Kept>>();

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Throws a `Refusal` with the codes of providers; without `takesStale` even if there is an old answer. */
  async ask(question: ProviderQuestion, { takesStale = true } = {}): Promise<Relayed> {
    const key = `${question.upstream.id} ${question.upstream.origin}${question.path}`;
    const kept = this.#options.cache.get(key);
    if (kept !== undefined && this.#ageOf(kept) < question.fresh_ms) return this.#relayed(question, kept, 'kept');
    try {
      return this.#relayed(question, await this.#askOnce(key, question), 'asked');
    } catch (error) {
      const refusal = refusalOf(error) ?? error;
      if (!isRefusal(refusal) || kept === undefined || !takesStale || notCovered.includes(refusal.code)) throw refusal;
      return this.#relayed(question, kept, 'stale');
    }
  }

  async #askOnce(key: string, question: ProviderQuestion): Promise<Kept> {
    const underWay = this.#asked.get(key);
    if (underWay !== undefined) return underWay;
    const asking = this.#askNow(key, question);
    this.#asked.set(key, asking);
    try {
      return await asking;
    } finally {
      this.#asked.delete(key);
    }
  }

  async #askNow(key: string, question: ProviderQuestion): Promise<Kept> {
    const { upstream, path, credentials, expects, maxBytes, limit_ms, keep_ms } = question;
    let type = '';
    const { body } = await this.#options.gate.ask(upstream, {
      path,
      ...(credentials && { credentials }),
      ...(maxBytes !== undefined && { maxBytes }),
      ...(limit_ms !== undefined && { limitMs: limit_ms }),
      types: typeof expects === 'string' ? typesOf[expects] : ['application/json', 'application/geo+json'],
      check: (answered) => (type = typeOf(answered, expects)),
    });
    return this.#options.cache.put(key, { body, type }, keep_ms);
  }

  #relayed({ fresh_ms }: ProviderQuestion, kept: Kept, source: Relayed['source']): Relayed {
    const ageMs = this.#ageOf(kept);
    const [age_s, fresh_s] = [ageMs, Math.max(0, fresh_ms - ageMs)].map((ms) => Math.floor(ms / 1000)) as [
      number,
      number,
    ]; // of two
    return { ...kept, age_s, fresh_s, source };
  }

  /** A clock that was set back makes no answer younger than 0. */
  #ageOf({ stored_at_ms }: Kept): number {
    return Math.max(0, this.#options.now() - stored_at_ms);
  }
}

/** The media type of the expected content. Throws `UpstreamError` for anything else. */
function typeOf(body: Buffer, expects: ProviderQuestion['expects']): string {
  if (expects === 'picture') {
    const type = pictureTypeOf(body);
    if (type === undefined) throw new UpstreamError('wrong_answer', 'it answered no picture');
    return type;
  }
  if (typeof expects === 'string') return typesOf[expects][0];
  if (!expects.safeParse(parsed(body)).success) throw new UpstreamError('wrong_answer', 'it answered other fields');
  return 'application/json';
}

function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch (cause) {
    throw new UpstreamError('wrong_answer', 'it answered no JSON', cause);
  }
}
