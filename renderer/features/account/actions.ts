import { mdiAccountCogOutline } from '@mdi/js';
import type { Action } from '../feature.ts';

export const accountActions: readonly Action[] = [
  { to: '/account', title: 'account.title', icon: mdiAccountCogOutline },
];
