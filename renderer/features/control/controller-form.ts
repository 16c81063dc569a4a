import type { Component } from 'vue';
import type { ControllerSettings } from '../../../server/contract/controller-kind.ts';
import type { OutputChannel } from '../../../server/contract/output.ts';
import type { FormWords } from '../devices/form/form-context.ts';
import type { Group, OptionSchema } from '../devices/form/option-schema.ts';

/** How one kind of controller is entered. Functions of settings are methods, so that one list can hold all kinds. */
export interface ControllerForm<Settings extends ControllerSettings = ControllerSettings> {
  /** The section with the words of its fields. */
  words: FormWords;
  /** What can be entered of one; of one that there is without what stays as it is. */
  schema(known: Settings | null): OptionSchema;
  /** What a new one begins with; only what must be there where absent. */
  begun?(nowMs: number): Group;
  /** Settings as they are entered. */
  formOf(settings: Settings, isCopy: boolean): Group;
  /** Body of the request that makes one, or changes one where `isChange`. */
  bodyOf(form: Group, isChange: boolean): Group;
  /** The unit of a field that what was entered decides; empty where it has none. */
  unitIn?(form: Group, name: string): string;
  /** Whether a field offers a word of its schema beside the channel of an output, where one is chosen. */
  isChoice?(name: string, word: unknown, channel: OutputChannel | undefined): boolean;
  /** Shows its fields, of `form` and `schema`, otherwise than as one group; emits `update`. */
  fields?: Component;
}

/** What a form is opened for; without settings for something new. */
export type FormTask = { does: 'add' } | { does: 'edit' | 'duplicate'; settings: ControllerSettings };
