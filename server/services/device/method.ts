import { Refusal, refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { Method, MethodPreview } from '../../contract/method.ts';
import { epochOf, type Moment } from '../../contract/time.ts';
import type { ControllerStores } from '../../db/repositories/controller-stores.ts';
import { methodCurve } from '../../domain/control/methods/method.ts';
import type { Place } from '../../domain/solar/sun-day.ts';

interface MethodServiceOptions {
  kinds: Pick<ControllerStores, 'method'>;
  /** A method as it would be stored; throws if it would be refused. */
  draft: (sent: object) => Method;
  place: () => Place;
  now: () => number;
}

type Setpoints = Omit<MethodPreview, 'method_id'>;

interface Span {
  from?: Moment | undefined;
  to?: Moment | undefined;
}

const dayMs = 86_400_000;
const longestMs = 400 * dayMs;
/** Calendar arithmetic ends soon after. */
const farthestMs = Date.UTC(9999, 0, 1);
/** A day in steps of five minutes, both ends included. */
const mostPoints = 289;

/** The setpoints of methods over time. */
export class MethodService {
  readonly #options: MethodServiceOptions;

  constructor(options: MethodServiceOptions) {
    this.#options = options;
  }

  /** The setpoint over a span, by default a day from now. Throws `not_found`, `invalid_field`. */
  preview(id: string, span: Span): MethodPreview {
    const method = this.#options.kinds.method.get(id);
    if (method === undefined) throw new Refusal('not_found', 'no such method');
    return { method_id: method.unique_id, ...this.#over(method, span) };
  }

  /** The same for a method being entered. Throws the errors of storing it. */
  previewDraft({ method, ...span }: Span & { method: object }): Setpoints {
    return this.#over(this.#options.draft(method), span);
  }

  #over(method: Method, span: Span): Setpoints {
    const { kinds, place, now } = this.#options;
    const fromMs = span.from === undefined ? now() : epochOf(span.from);
    const toMs = span.to === undefined ? fromMs + dayMs : epochOf(span.to);
    if (toMs <= fromMs) throw refuseField('invalid_field', 'to', why('to_not_after_from'));
    if (toMs > farthestMs) throw refusePlainly('invalid_field', 'to', 'must be before the year 9999');
    if (toMs - fromMs > longestMs) throw refusePlainly('invalid_field', 'to', 'must be within 400 days of from');
    const find = (wanted: string): Method | undefined => kinds.method.get(wanted);
    const curve = methodCurve({ ...method, is_activated: true }, { place: place(), find });
    const stepMs = (toMs - fromMs) / (mostPoints - 1);
    const times = Array.from({ length: mostPoints }, (_, index) => Math.round(fromMs + index * stepMs));
    return { unit: method.unit, times, values: times.map(curve) };
  }
}
