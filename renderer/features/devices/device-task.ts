import type { Input } from '../../../server/contract/input.ts';
import type { Lcd } from '../../../server/contract/lcd.ts';
import type { Output } from '../../../server/contract/output.ts';
import type { DeviceKind } from '../../../server/contract/drivers/driver.ts';
import type { DeviceForm } from './form/device-form.ts';

/** A device that was found, with everything known for its form. */
export type FoundDevice = Pick<DeviceForm, 'kind' | 'driver' | 'options'> & Partial<DeviceForm>;

/** What the device form was opened for. */
export type DeviceTask =
  | { does: 'add'; found?: FoundDevice }
  | { does: 'edit' | 'duplicate'; kind: DeviceKind; device: Input | Output | Lcd };

/** Where to search for Modbus units. */
export interface UnitsDraft {
  host: string;
  port: number | null;
  from: number | null;
  to: number | null;
}

/** The broker to search, as entered. */
export interface BrokerDraft {
  host: string;
  port: number | null;
  tls: boolean;
  ca: string;
  username: string;
  password: string;
}
