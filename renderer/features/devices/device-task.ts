import type { Input } from '../../../server/contract/input.ts';
import type { Lcd } from '../../../server/contract/lcd.ts';
import type { Output } from '../../../server/contract/output.ts';
import type { DeviceKind } from '../../../server/contract/drivers/driver.ts';
import type { DeviceForm } from './form/device-form.ts';

/** A device that was found, with all of its form that is known of it. */
export type FoundDevice = Pick<DeviceForm, 'kind' | 'driver' | 'options'> & Partial<DeviceForm>;

/** What the form of a device is opened for. */
export type DeviceTask =
  { does: 'add'; found?: FoundDevice } | { does: 'edit' | 'duplicate'; kind: DeviceKind; device: Input | Output | Lcd };

/** Where Modbus units are looked for. */
export interface UnitsDraft {
  host: string;
  port: number | null;
  from: number | null;
  to: number | null;
}

/** Where a broker is looked for, as it is entered. */
export interface BrokerDraft {
  host: string;
  port: number | null;
  tls: boolean;
  ca: string;
  username: string;
  password: string;
}
