import type { Component } from 'vue';
import type { Action } from '../../../server/contract/action.ts';
import type { ControllerSettings } from '../../../server/contract/controller-kind.ts';
import type { ControllerWord, SettingsOf } from '../../../server/contract/controller-kinds.ts';
import type { Call } from '../../client/client.ts';
import type { MessageKey, Translate } from '../../i18n/index.ts';
import type { ControlStates } from '../../stores/live/control.ts';
import type { Format } from '../../ui/format.ts';
import type { ControllerForm } from './controller-form.ts';

/** How the control page shows one kind. Functions of settings are methods, so that one list can hold all kinds. */
export interface ControllerView<Settings extends ControllerSettings = ControllerSettings> {
  word: ControllerWord;
  icon: string;
  title: MessageKey;
  text: MessageKey;
  add: MessageKey;
  /** Warnings before deleting and before deactivating one. */
  deletion: MessageKey;
  deactivation: MessageKey;
  form: ControllerForm<Settings>;
  /** Lines on a card below the name. */
  facts?(settings: Settings, words: { t: Translate; format: Format; actionText: (action: Action) => string }): string[];
  /** Loads the state of all when the page opens; events update it. */
  read?: (call: Call) => Promise<ControlStates>;
  /** The state of a running one, where there is more than running and failed. */
  state?(told: object | undefined): { word: string; texts: readonly MessageKey[] } | null;
  /** When what a running one shows was measured. */
  measuredAt?: (told: object | undefined) => string | null | undefined;
  /** Path of its own page, if it has one. */
  page?(settings: Settings): string;
  /** The body of the card, with its `settings`. */
  panel?: Component;
}

/** Keeps the types of a kind until it joins the list. */
export function controllerView<Word extends ControllerWord>(
  word: Word,
  view: Omit<ControllerView<SettingsOf<Word>>, 'word'>,
): ControllerView {
  return { word, ...view };
}
