import { inject, provide, type Component, type InjectionKey } from 'vue';
import type { Fault } from './field-faults.ts';
import type { DeviceKind } from '../../../../server/contract/drivers/driver.ts';
import type { Group } from './option-schema.ts';

/** Message sections with texts for fields. */
export type FormWords = 'control' | 'rules' | 'functions' | 'methods';

/** One of the things that a field can refer to. */
export interface Offer {
  value: string | number;
  title: string;
}

/** What the fields of a generated form get from it. */
export interface FormContext {
  /** null when the form is not for a device. */
  kind: () => DeviceKind | null;
  /** The section with the texts of its fields; falls back on those of devices. */
  words?: () => FormWords;
  /** The unit of a field that depends on others; empty when it has none. */
  unitIn?: (name: string) => string;
  /** What only this form knows that a field may refer to; null when there is nothing, or all forms know it. */
  offersOf?: (name: string, siblings: Group) => Offer[] | null;
  /** Whether a word of its schema makes sense beside the other fields; default: all do. */
  isChoice?: (name: string, word: string, siblings: Group) => boolean;
  /** Shows one entry. Groups and lists, which it renders, take it from here to avoid a circular import. */
  field: Component;
  /** The fault of the entry at a path, as far as the form can tell; null until the first attempt to send. */
  faultAt: (path: string) => Fault | null;
  /** The server's message about it. */
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
