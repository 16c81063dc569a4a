import { mdiGauge, mdiMonitor, mdiToggleSwitchOutline } from '@mdi/js';
import type { ControllerWord } from '../../../server/contract/controller-kinds.ts';
import type { MessageKey } from '../../i18n/index.ts';

/** How the devices page shows one kind. */
export interface DeviceKindView {
  word: ControllerWord;
  icon: string;
  title: MessageKey;
  /** Shown when there are none; a kind without it appears only when there are some. */
  empty?: MessageKey;
  /** Its label in the filter. */
  filter: MessageKey;
  /** Warnings before deleting and before deactivating. */
  deletion: MessageKey;
  deactivation: MessageKey;
}

/** The kinds on the devices page, in its order. Controllers have their own page. */
export const deviceKinds: readonly DeviceKindView[] = [
  {
    word: 'input',
    icon: mdiGauge,
    title: 'devices.inputs',
    empty: 'devices.noInputs',
    filter: 'devices.filter.input',
    deletion: 'devices.deleteInput',
    deactivation: 'devices.deactivateOther',
  },
  {
    word: 'output',
    icon: mdiToggleSwitchOutline,
    title: 'devices.outputs',
    empty: 'devices.noOutputs',
    filter: 'devices.filter.output',
    deletion: 'devices.deleteOutput',
    deactivation: 'devices.deactivateOutput',
  },
  {
    word: 'lcd',
    icon: mdiMonitor,
    title: 'devices.lcds',
    filter: 'devices.filter.lcd',
    deletion: 'devices.deleteLcd',
    deactivation: 'devices.deactivateOther',
  },
];
