import type { Translate } from '../i18n/index.ts';

const builtIn = ['Admin', 'Editor', 'Monitor', 'Kiosk', 'Guest'] as const;

/** The display name of a role; custom roles keep their own name. */
export function roleName(name: string, t: Translate): string {
  const known = builtIn.find((one) => one === name);
  return known === undefined ? name : t(`users.roles.names.${known}`);
}
