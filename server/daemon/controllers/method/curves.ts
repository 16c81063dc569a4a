import type { Method } from '../../../contract/method.ts';
import type { Curve } from '../../../domain/control/methods/knots.ts';
import { methodCurve } from '../../../domain/control/methods/method.ts';
import type { Configuration } from '../../configuration/configuration.ts';

/** The setpoint curves of all methods, compiled once for all their followers. */
export class MethodCurves {
  readonly #configuration: Pick<Configuration, 'get' | 'place'>;
  readonly #curves = new Map<string, Curve>();

  constructor(configuration: Pick<Configuration, 'get' | 'place'>) {
    this.#configuration = configuration;
  }

  /** `id` in lower case; undefined when there is no such method. */
  curve(id: string): Curve | undefined {
    const known = this.#curves.get(id);
    if (known !== undefined) return known;
    const method = this.method(id);
    if (method === undefined) return undefined;
    const find = (wanted: string): Method | undefined => this.method(wanted);
    const curve = methodCurve(method, { place: this.#configuration.place(), find });
    this.#curves.set(id, curve);
    return curve;
  }

  /** `id` in lower case; undefined when there is no such method. */
  method(id: string): Method | undefined {
    return this.#configuration.get('method', id);
  }

  /** A method, or the location of the site, has changed; cascades may depend on it. */
  forget(): void {
    this.#curves.clear();
  }
}
