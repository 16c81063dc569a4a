import { messageOf } from '../contract/message-of.ts';
import type { ModelHouse } from '../domain/simulation/house-model.ts';
import { modelOfHouse } from '../domain/simulation/model-of-house.ts';
import type { Place } from '../domain/solar/sun-day.ts';
import type { Configuration } from './configuration/configuration.ts';

interface Known {
  revision: number;
  place: Place;
  model: ModelHouse | undefined;
}

/** Models of drawn houses, each worked out anew once its house was changed. */
export class HouseModels {
  readonly #configuration: Pick<Configuration, 'facility' | 'place'>;
  readonly #log: (line: string) => void;
  readonly #known = new Map<string, Known>();

  constructor(configuration: Pick<Configuration, 'facility' | 'place'>, log: (line: string) => void) {
    this.#configuration = configuration;
    this.#log = log;
  }

  /**
   * That of a house which was deleted stays as it was; undefined for one that was never there, or cannot be worked out.
   */
  of(facilityId: string): ModelHouse | undefined {
    const facility = this.#configuration.facility(facilityId);
    const known = this.#known.get(facilityId);
    if (facility === undefined) return known?.model;
    const place = this.#configuration.place();
    const { revision } = facility;
    if (known?.revision === revision && known.place === place) return known.model;
    try {
      this.#known.set(facilityId, { revision, place, model: modelOfHouse(facility, place).model });
    } catch (error) {
      this.#log(`the simulated house "${facility.name}" stays as it was: ${messageOf(error)}`);
      this.#known.set(facilityId, { revision, place, model: known?.model });
    }
    return this.#known.get(facilityId)?.model;
  }
}
