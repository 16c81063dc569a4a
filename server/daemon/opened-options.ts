import { z } from 'zod';
import type { SecretBox } from '../auth/secret-box.ts';

const sealed = z.strictObject({ sealed: z.string() });

/** A device's options with the server's sealed secrets decrypted. Throws SecretBoxError when that fails. */
export function openedOptions(
  options: Readonly<Record<string, unknown>>,
  box: Pick<SecretBox, 'open'>,
): Record<string, unknown> {
  const entries = Object.entries(options).map(([name, value]) => {
    const secret = sealed.safeParse(value).data;
    return [name, secret === undefined ? value : box.open(secret.sealed)] as const;
  });
  return Object.fromEntries(entries);
}
