import type { Database } from 'better-sqlite3';
import type { ControllerSettings } from '../../contract/controller-kind.ts';
import { allKinds, type ControllerWord, type SettingsOf } from '../../contract/controller-kinds.ts';
import { MeasuredDevices } from '../../domain/control/measured-devices.ts';
import { ControllerRepository } from './controller.ts';
import { InputRepository } from './input.ts';
import { LcdRepository } from './lcd.ts';
import { OutputRepository } from './output.ts';

/** Where the settings of one kind are kept. */
export interface ControllerStore<Settings extends ControllerSettings = ControllerSettings> {
  list(): Settings[];
  /** `id` in lower case. */
  get(id: string): Settings | undefined;
  insert(settings: Settings): void;
  update(settings: Settings): void;
  /** False when there was none. */
  remove(id: string): boolean;
}

export type ControllerStores = { [Word in ControllerWord]: ControllerStore<SettingsOf<Word>> };

/** For every kind its own table, else its share of the common one. */
export function controllerStores(database: Database): ControllerStores {
  const own = new Map<ControllerWord, ControllerStore>([
    ['input', new InputRepository(database)],
    ['output', new OutputRepository(database)],
    ['lcd', new LcdRepository(database)],
  ]);
  const stores = allKinds.map((kind) => [kind.word, own.get(kind.word) ?? new ControllerRepository(database, kind)]);
  return Object.fromEntries(stores) as ControllerStores; // each of its own kind
}

/** Which devices and controllers store series, by the stored settings. */
export function measuredDevices(stores: ControllerStores): MeasuredDevices {
  return new MeasuredDevices({ list: (word) => stores[word].list(), get: (word, id) => stores[word].get(id) });
}
