import type { StatementLanguage } from '../../../server/contract/statement.ts';
import { groupOf, listOf, type Group } from '../devices/form/option-schema.ts';

/** A suggestion at the caret. */
export interface Completion {
  name: string;
  is: 'value' | 'local' | 'action' | 'function' | 'word';
}

/** A longer list is no help. */
const most = 8;
const locals = /\blet\s{1,20}([A-Za-z_]\w{0,63})/g;

/** The name begun before the caret, and whether it is inside `run(`, which needs an action. */
function begunAt(before: string): { begun: string; isAction: boolean } {
  let start = before.length;
  while (start > 0 && /\w/.test(before.charAt(start - 1))) start -= 1;
  const begun = before.slice(start);
  const call = before.slice(0, start).trimEnd();
  const isAction = call.endsWith('run(') && !/\w/.test(call.charAt(call.length - 5));
  return { begun: /^\d/.test(begun) ? '' : begun, isAction };
}

/** Names of the entries of a list that have one. */
function namesOf(entries: unknown): string[] {
  return listOf(entries).flatMap((entry) => {
    const { name } = groupOf(entry);
    return typeof name === 'string' && name !== '' ? [name] : [];
  });
}

/** Completions of the text before the caret: actions after `run(`, otherwise everything else. */
export function completionsOf(before: string, form: Group, language: StatementLanguage | null): Completion[] {
  const { begun, isAction } = begunAt(before);
  if (begun === '' && !isAction) return [];
  const all = (names: readonly string[], is: Completion['is']): Completion[] => names.map((name) => ({ name, is }));
  const offered = isAction
    ? all(namesOf(form['actions']), 'action')
    : [
        ...all(namesOf(form['conditions']), 'value'),
        ...all(
          [...before.matchAll(locals)].flatMap(([, name]) => name ?? []),
          'local',
        ),
        ...all(
          (language?.functions ?? []).map(({ name }) => name),
          'function',
        ),
        ...all(language?.words ?? [], 'word'),
      ];
  const start = begun.toLowerCase();
  const fits = offered.filter(({ name }) => name.toLowerCase().startsWith(start) && name !== begun);
  return fits.filter(({ name }, at) => fits.findIndex((one) => one.name === name) === at).slice(0, most);
}

/** The statement with a completion inserted at the caret, and the new caret: inside the brackets of a call. */
export function completed(statement: string, caret: number, { name, is }: Completion): { text: string; caret: number } {
  const { begun } = begunAt(statement.slice(0, caret));
  const rest = statement.slice(caret);
  const isCall = (is === 'function' || name === 'run') && !rest.startsWith('(');
  const text = `${statement.slice(0, caret - begun.length)}${name}${isCall ? '()' : ''}`;
  return { text: text + rest, caret: text.length - (isCall ? 1 : 0) };
}
