import { Refusal, refuseField } from '../../contract/errors.ts';
import type { Method, MethodPreview } from '../../contract/method.ts';
import { epochOf, type Moment } from '../../contract/time.ts';
import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import { methodCurve } from '../../domain/control/methods/method.ts';
import type { Place } from '../../domain/solar/sun-day.ts';

interface MethodServiceOptions {
  kinds: Pick<ControllerStores, 'method'>;
  /** A method as it would be stored; throws where it would not be. */
  draft: (sent: object) => Method;
  place: () => Place;
  now: () => number;
}

type Setpoints = Omit<MethodPreview, 'method_id'>;

interface Span {
  from?: Moment | undefined;
  to?: Moment | undefined;
}

const day_ms = 86_400_000;
const longest_ms = 400 * day_ms;
/** Calendars end soon after. */
const farthest_ms = Date.UTC(9999, 0, 1);
/** Of a day every five minutes, both ends included. */
const mostPoints = 289;

/** What methods give over time. */
export class MethodService {
  readonly #options: MethodServiceOptions;

  constructor(options: MethodServiceOptions) {
    this.#options = options;
  }

  /** The setpoint over a span, a day from now on when none is named. Throws `not_found`, `invalid_field`. */
  preview(id: string, span: Span): MethodPreview {
    const method = this.#options.kinds.method.get(id);
    if (method === undefined) throw new Refusal('not_found', 'no such method');
    return { method_id: method.unique_id, ...this.#over(method, span) };
  }

  /** The same of one that is being entered. Throws what storing it would throw. */
  previewDraft({ method, ...span }: Span & { method: object }): Setpoints {
    return this.#over(this.#options.draft(method), span);
  }

  #over(method: Method, span: Span): Setpoints {
    const { kinds, place, now } = this.#options;
    const from_ms = span.from === undefined ? now() : epochOf(span.from);
    const to_ms = span.to === undefined ? from_ms + day_ms : epochOf(span.to);
    if (to_ms <= from_ms) throw refuseField('invalid_field', 'to', 'must be after from');
    if (to_ms > farthest_ms) throw refuseField('invalid_field', 'to', 'must be before the year 9999');
    if (to_ms - from_ms > longest_ms) throw refuseField('invalid_field', 'to', 'must be within 400 days of from');
    const find = (wanted: string): Method | undefined => kinds.method.get(wanted);
    const curve = methodCurve({ ...method, is_activated: true }, { place: place(), find });
    const step_ms = (to_ms - from_ms) / (mostPoints - 1);
    const times = Array.from({ length: mostPoints }, (_, index) => Math.round(from_ms + index * step_ms));
    return { unit: method.unit, times, values: times.map(curve) };
  }
}
