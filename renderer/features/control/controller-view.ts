import type { Component } from 'vue';
import type { ControllerSettings } from '../../../server/contract/controller-kind.ts';
import type { ControllerWord, SettingsOf } from '../../../server/contract/controller-kinds.ts';
import type { Call } from '../../client/client.ts';
import type { MessageKey, Translate } from '../../i18n/index.ts';
import type { Format } from '../../ui/format.ts';
import type { ControllerForm } from './controller-form.ts';

/** What a controller tells of itself, by its id. */
type Told = readonly (readonly [id: string, told: object])[];

/** How the control page shows one kind. Functions of settings are methods, so that one list can hold all kinds. */
export interface ControllerView<Settings extends ControllerSettings = ControllerSettings> {
  word: ControllerWord;
  icon: string;
  title: MessageKey;
  text: MessageKey;
  add: MessageKey;
  /** What is said before one is deleted, and before it is deactivated. */
  deletion: MessageKey;
  deactivation: MessageKey;
  form: ControllerForm<Settings>;
  /** What a card says below the name, each a line. */
  facts?(settings: Settings, words: { t: Translate; format: Format }): string[];
  /** What it tells of itself, read when the page is opened; events keep it up. */
  read?(call: Call): Promise<Told>;
  /** The state of one that runs, where there are more than running and failed. */
  state?(told: object | undefined): { word: string; texts: readonly MessageKey[] } | null;
  /** Path of the page of one, where there is one. */
  page?(settings: Settings): string;
  /** The card below its head, of its `settings`. */
  panel?: Component;
}

/** Keeps the types of a kind until it stands in the list. */
export function controllerView<Word extends ControllerWord>(
  word: Word,
  view: Omit<ControllerView<SettingsOf<Word>>, 'word'>,
): ControllerView {
  return { word, ...view };
}
