import { z } from 'zod';
import type { ControllerKind } from './controller-kind.ts';
import { controllerKinds } from './controller-list.ts';

type Known = (typeof controllerKinds)[number];

export type ControllerType = Known['type'];
export type ControllerWord = Known['word'];
export type ControllerPlural = Known['plural'];
/** Settings by the word of their kind. */
export type SettingsOf<Word extends ControllerWord> = z.infer<Extract<Known, { word: Word }>['settings']>;

export const controllerType = z.enum(controllerKinds.map(({ type }) => type));
export const controllerWord = z.enum(controllerKinds.map(({ word }) => word));

/** The list without the types of its entries. */
export const allKinds: readonly Kind[] = controllerKinds;

type Kind = ControllerKind<ControllerType, ControllerWord, ControllerPlural>;

/** Every type of the contract has a kind. */
export function kindOfType(type: ControllerType): Kind {
  return found(allKinds.find((kind) => kind.type === type));
}

/** Every word of the contract has a kind. */
export function kindOfWord(word: ControllerWord): Kind {
  return found(allKinds.find((kind) => kind.word === word));
}

/** A value for each kind, by its plural. */
export function byPlural<Value>(valueOf: (kind: Kind) => Value): Record<ControllerPlural, Value> {
  const values = allKinds.map((kind) => [kind.plural, valueOf(kind)] as const);
  return Object.fromEntries(values) as Record<ControllerPlural, Value>; // the list has them all
}

function found(kind: Kind | undefined): Kind {
  if (kind === undefined) throw new Error('there is no such kind of controller');
  return kind;
}
