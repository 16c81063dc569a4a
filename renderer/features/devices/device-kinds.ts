import { mdiGauge, mdiMonitor, mdiToggleSwitchOutline } from '@mdi/js';
import type { ControllerWord } from '../../../server/contract/controller-kinds.ts';
import type { MessageKey } from '../../i18n/index.ts';

/** How the devices page shows one kind. */
export interface DeviceKindView {
  word: ControllerWord;
  icon: string;
  title: MessageKey;
  /** What stands where there are none; a kind without it is shown only where there are some. */
  empty?: MessageKey;
  /** Its word in the choice of what is shown. */
  filter: MessageKey;
  /** What is said before one is deleted, and before it is deactivated. */
  deletion: MessageKey;
  deactivation: MessageKey;
}

/** The kinds that the devices page lists, in its order. What controls by devices has a page of its own. */
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
