import type { SecretBox } from '../../auth/secret-box.ts';
import { driverOf } from '../../contract/drivers/index.ts';
import { refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { sealedAt, withoutSecrets } from '../setting/secret.ts';

/** Driver options that are stored encrypted and never returned. */
const secretOptions = ['password'];

interface Device {
  driver: string;
  options: Record<string, unknown>;
}

/** A device as it may be shown. */
export function shownDevice<Shown extends Device>(device: Shown): Shown {
  const kept = Object.entries(device.options).filter(([name]) => secretOptions.includes(name));
  if (kept.length === 0) return device;
  const marks = kept.map(([name, value]) => [name, withoutSecrets(value)] as const);
  return { ...device, options: { ...device.options, ...Object.fromEntries(marks) } };
}

/** A device as it is stored: new secrets sealed, those sent back as shown kept. Throws `read_only_field`. */
export function sealedDevice<Sealed extends Device>(
  device: Sealed,
  { box, before }: { box: Pick<SecretBox, 'seal'>; before?: Device | undefined },
): Sealed {
  const kept = before !== undefined && placeOf(before) === placeOf(device) ? before.options : {};
  const options = { ...device.options };
  for (const name of secretOptions) {
    const sent = options[name];
    if (sent === undefined) continue;
    const sealed = typeof sent === 'string' ? { sealed: box.seal(sent) } : sealedAt(kept, name);
    if (sealed === undefined) throw refuseField('read_only_field', `options.${name}`, why('secret_elsewhere'));
    options[name] = sealed;
  }
  return { ...device, options };
}

/** Where secrets are sent. If the driver does not say, any option may be part of it. */
function placeOf({ driver, options }: Device): string {
  const names = driverOf(driver)?.place ?? Object.keys(options).filter((name) => !secretOptions.includes(name));
  return JSON.stringify([driver, ...names.toSorted().map((name) => [name, options[name]])]);
}
