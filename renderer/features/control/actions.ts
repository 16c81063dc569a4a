import { mdiPlus } from '@mdi/js';
import type { Action } from '../feature.ts';

export const controlActions: readonly Action[] = [
  { to: '/control?ask=pid', title: 'control.add', icon: mdiPlus, permission: 'edit_controllers' },
  { to: '/control?ask=trigger', title: 'rules.addTrigger', icon: mdiPlus, permission: 'edit_controllers' },
  { to: '/control?ask=conditional', title: 'rules.addConditional', icon: mdiPlus, permission: 'edit_controllers' },
  { to: '/control?ask=function', title: 'functions.add', icon: mdiPlus, permission: 'edit_controllers' },
  { to: '/control?ask=method', title: 'methods.add', icon: mdiPlus, permission: 'edit_controllers' },
];
