import type { ControllerSettings } from '../../contract/controller-kind.ts';
import { allKinds, type ControllerWord } from '../../contract/controller-kinds.ts';
import type { FindSeries, FoundSeries, MeasuredChannel, MeasuredDevice, SeriesName } from '../../contract/measured.ts';

/** The stored settings of every kind. */
export interface StoredControllers {
  list(word: ControllerWord): readonly ControllerSettings[];
  get(word: ControllerWord, id: string): ControllerSettings | undefined;
}

type MeasuringKind = (typeof allKinds)[number] & Required<Pick<(typeof allKinds)[number], 'series'>>;

const measuringKinds = allKinds.filter((kind): kind is MeasuringKind => kind.series !== undefined);

/** Functions of functions: nobody sets up a longer chain. */
const deepest = 20;

/** Everything that stores series: inputs, and controllers that store their results. */
export class MeasuredDevices {
  readonly #stored: StoredControllers;

  constructor(stored: StoredControllers) {
    this.#stored = stored;
  }

  /** `id` in lower case. */
  get(id: string): MeasuredDevice | undefined {
    return this.#get(id, 0);
  }

  /** Grouped by kind, in the order of the contract's list. */
  list(): MeasuredDevice[] {
    return measuringKinds.flatMap((kind) =>
      this.#stored.list(kind.word).map((settings) => deviceOf(kind, settings, this.#find(0))),
    );
  }

  /** The same for one kind's settings as they would be stored. */
  channelsOf(word: ControllerWord, settings: ControllerSettings): readonly MeasuredChannel[] {
    const kind = measuringKinds.find((one) => one.word === word);
    return kind === undefined ? [] : deviceOf(kind, settings, this.#find(0)).channels;
  }

  /** The channel that stores a series. */
  series(name: SeriesName): FoundSeries | undefined {
    return this.#find(0)(name);
  }

  #get(id: string, depth: number): MeasuredDevice | undefined {
    for (const kind of measuringKinds) {
      const settings = this.#stored.get(kind.word, id);
      if (settings !== undefined) return deviceOf(kind, settings, this.#find(depth));
    }
    return undefined;
  }

  /** Limits the depth, in case an older program allowed a circle. */
  #find(depth: number): FindSeries {
    return ({ device_id, measurement_id }) => {
      const device = depth < deepest ? this.#get(device_id, depth + 1) : undefined;
      const found = device?.channels.find((one) => one.measurement_id === measurement_id);
      return device && found && { ...found, period_s: device.period_s };
    };
  }
}

function deviceOf({ series }: MeasuringKind, settings: ControllerSettings, find: FindSeries): MeasuredDevice {
  const { unique_id, name, is_activated } = settings;
  const { isTold } = series;
  const [period_s, channels] = [series.period_s(settings, find), series.channels(settings, find)];
  return { unique_id, name, is_activated, period_s, isTold, channels };
}

/**
 * The names of the controllers through which one depends on its own value, from the one that it reads to itself; null
 * when it does not. `settings` need not be stored.
 */
export function circleOf(
  word: ControllerWord,
  settings: ControllerSettings,
  stored: Pick<StoredControllers, 'get'>,
): string[] | null {
  const seen = new Set<string>();
  const walk = (reader: Reader): string[] | null => {
    for (const id of sourcesOf(reader)) {
      if (id === settings.unique_id) return [settings.name];
      if (seen.has(id)) continue;
      seen.add(id);
      const source = readerOf(id, stored);
      const rest = source === undefined ? null : walk(source);
      if (source !== undefined && rest !== null) return [source.settings.name, ...rest];
    }
    return null;
  };
  return walk({ word, settings });
}

/** A controller that reads series and stores some. */
interface Reader {
  word: ControllerWord;
  settings: ControllerSettings;
}

function sourcesOf({ word, settings }: Reader): string[] {
  const references = allKinds.find((kind) => kind.word === word)?.stored?.references(settings) ?? [];
  return references.filter(({ to }) => to === 'measurement').map(({ id }) => id);
}

function readerOf(id: string, stored: Pick<StoredControllers, 'get'>): Reader | undefined {
  for (const { word } of measuringKinds) {
    const settings = stored.get(word, id);
    if (settings !== undefined) return { word, settings };
  }
  return undefined;
}
