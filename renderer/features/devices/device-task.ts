import type { Input } from '../../../server/contract/input.ts';
import type { Lcd } from '../../../server/contract/lcd.ts';
import type { ModbusProbe } from '../../../server/contract/driver.ts';
import type { Output } from '../../../server/contract/output.ts';
import type { FormKind } from './form/device-form.ts';

/** What the form of a device is opened for. */
export type DeviceTask =
  { does: 'add'; found?: ModbusProbe } | { does: 'edit' | 'duplicate'; kind: FormKind; device: Input | Output | Lcd };
