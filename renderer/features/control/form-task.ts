import type { ControllerSettings } from '../../../server/contract/controller-kind.ts';

/** What a form is opened for; without settings for something new. */
export type FormTask<Settings extends ControllerSettings> =
  { does: 'add' } | { does: 'edit' | 'duplicate'; settings: Settings };
