import type { Translate } from '../i18n/index.ts';

const builtIn = ['Admin', 'Editor', 'Monitor', 'Kiosk', 'Guest'] as const;

/** A role as the shown language calls it: own roles bear the name that they were given. */
export function roleName(name: string, t: Translate): string {
  const known = builtIn.find((one) => one === name);
  return known === undefined ? name : t(`users.roles.names.${known}`);
}
