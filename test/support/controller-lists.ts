import type { ControllerWord, SettingsOf } from '../../server/contract/controller-kinds.ts';
import type { Configuration } from '../../server/daemon/configuration/configuration.ts';

type Lists = { [Word in ControllerWord]?: readonly SettingsOf<Word>[] };

/** Settings as a configuration returns them, for the given controllers; each call reads the current lists. */
export function controllerLists(lists: () => Lists): Pick<Configuration, 'list' | 'get'> {
  const list = <Word extends ControllerWord>(word: Word) =>
    structuredClone([...(lists()[word] ?? [])]) as SettingsOf<Word>[]; // of the list of this word
  return { list, get: (word, id) => list(word).find(({ unique_id }) => unique_id === id) };
}
