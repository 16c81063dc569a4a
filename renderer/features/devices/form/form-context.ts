import { inject, provide, type Component, type InjectionKey } from 'vue';
import type { Fault } from './field-faults.ts';
import type { DeviceKind } from '../../../../server/contract/drivers/driver.ts';
import type { Group } from './option-schema.ts';

/** Sections with words of fields. */
export type FormWords = 'control' | 'rules' | 'functions' | 'methods';

/** One of those that a field can name. */
export interface Offer {
  value: string | number;
  title: string;
}

/** What every field of a generated form asks of it. */
export interface FormContext {
  /** null where it is no device. */
  kind: () => DeviceKind | null;
  /** The section with the words of its fields; those of devices stand in for what it lacks. */
  words?: () => FormWords;
  /** The unit of a field that others decide; empty where it has none. */
  unitIn?: (name: string) => string;
  /** What a field may name that only this form knows of; null where it names nothing, or what every form knows. */
  offersOf?: (name: string, siblings: Group) => Offer[] | null;
  /** Whether a word of its schema makes sense in a field beside the others; all do where absent. */
  isChoice?: (name: string, word: string, siblings: Group) => boolean;
  /** Shows one entry. Groups and lists, which it shows too, get it from here: they cannot import what imports them. */
  field: Component;
  /** What is wrong with the entry at a path, as far as the form can tell; null before somebody tried to send it. */
  faultAt: (path: string) => Fault | null;
  /** What the server said of it. */
  refusalAt: (path: string) => string | null;
}

const key: InjectionKey<FormContext> = Symbol('generated form');

export function provideForm(context: FormContext): void {
  provide(key, context);
}

export function useForm(): FormContext {
  const context = inject(key);
  if (context === undefined) throw new Error('a generated field stands outside of a form');
  return context;
}
