import type { Component } from 'vue';
import type { ControllerSettings } from '../../../server/contract/controller-kind.ts';
import type { OutputChannel } from '../../../server/contract/output.ts';
import type { FormWords } from '../devices/form/form-context.ts';
import type { Group, OptionSchema } from '../devices/form/option-schema.ts';

/** The form of one kind of controller. Functions of settings are methods, so that one list can hold all kinds. */
export interface ControllerForm<Settings extends ControllerSettings = ControllerSettings> {
  /** The section with the texts of its fields. */
  words: FormWords;
  /** The schema of the form; for an existing controller without the fields that cannot change. */
  schema(known: Settings | null): OptionSchema;
  /** Initial values of a new one; default: only what is required. */
  begun?(nowMs: number): Group;
  /** Settings as form values. */
  formOf(settings: Settings, isCopy: boolean): Group;
  /** The body of the request that creates one, or changes it when `isChange`. */
  bodyOf(form: Group, isChange: boolean): Group;
  /** The unit of a field that depends on other entries; empty when it has none. */
  unitIn?(form: Group, name: string): string;
  /** Whether a field offers a word of its schema for the chosen output channel, if one is chosen. */
  isChoice?(name: string, word: unknown, channel: OutputChannel | undefined): boolean;
  /** Displays its fields, from `form` and `schema`, otherwise than as one group; emits `update`. */
  fields?: Component;
}

/** What a form was opened for; without settings for a new controller. */
export type FormTask = { does: 'add' } | { does: 'edit' | 'duplicate'; settings: ControllerSettings };
