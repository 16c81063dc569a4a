import type { Device } from '../../server/contract/device.ts';
import type { useText } from '../i18n/index.ts';

/** Names that controllers give the series they store. */
const ownNames = {
  Value: 'value',
  Mean: 'mean',
  Least: 'least',
  Most: 'most',
  Deviation: 'deviation',
  'Light today': 'light',
  'Radiation today': 'radiation',
  Today: 'today',
  'Raised in 24 h': 'raised',
  'Lowered in 24 h': 'lowered',
  Setpoint: 'setpoint',
  Measurement: 'measurement',
  P: 'p',
  I: 'i',
  D: 'd',
  Control: 'control',
  Raise: 'raise',
  Lower: 'lower',
} as const;

function isOwn(name: string): name is keyof typeof ownNames {
  return Object.hasOwn(ownNames, name);
}

/** The display name of a channel: of devices as typed, of controllers translated. */
export function channelName(
  { kind }: Pick<Device, 'kind'>,
  { name }: Pick<Device['channels'][number], 'name'>,
  t: ReturnType<typeof useText>['t'],
): string {
  const isNamed = kind === 'input' || kind === 'output';
  return !isNamed && isOwn(name) ? t(`functions.ownChannel.${ownNames[name]}`) : name;
}
