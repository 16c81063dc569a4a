import { mdiBackupRestore } from '@mdi/js';
import type { Action } from '../feature.ts';
import { sections } from './sections.ts';

export const settingsActions: readonly Action[] = [
  ...sections,
  { to: '/settings/backups?ask=make', title: 'backups.make', icon: mdiBackupRestore, permission: 'edit_users' },
];
