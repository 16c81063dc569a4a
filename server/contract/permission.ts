import { z } from 'zod';

export const permissions = [
  'edit_users',
  'edit_settings',
  'edit_controllers',
  'view_settings',
  'view_stats',
  'view_logs',
] as const;
export const permission = z.enum(permissions);
export type Permission = z.infer<typeof permission>;

/** Who may call an endpoint: anyone at all, anyone logged in, or holders of a permission. */
export type Access = 'public' | 'login' | Permission;

const editing: readonly Access[] = ['edit_users', 'edit_settings', 'edit_controllers'];

/** True if a `readonly` key is refused. */
export function isEditing(access: Access): boolean {
  return editing.includes(access);
}

/** The built-in roles; an installation can add its own. */
export const builtInRoles: Record<string, readonly Permission[]> = {
  Admin: permissions,
  Editor: ['edit_settings', 'edit_controllers', 'view_settings', 'view_stats', 'view_logs'],
  Monitor: ['view_settings', 'view_stats', 'view_logs'],
  Kiosk: ['view_stats'],
  Guest: [],
};
