import { z } from 'zod';
import { controllerKind } from './controller-kind.ts';
import { endpoint } from './endpoint.ts';
import { name, uuid } from './identifier.ts';
import { driverOptions } from './output.ts';
import { nextCursor, pageQuery } from './page.ts';

export const lcd = z.strictObject({
  unique_id: uuid,
  name,
  driver: z.string().min(1).max(64),
  options: driverOptions,
  is_activated: z.boolean(),
});
export type Lcd = z.infer<typeof lcd>;

export const lcdCreate = z.strictObject({
  name: lcd.shape.name,
  driver: lcd.shape.driver,
  options: driverOptions.optional(),
  is_activated: z.boolean().optional().describe('true when absent'),
});
export type LcdCreate = z.infer<typeof lcdCreate>;

/** Fields that are not named stay; options merge by key, null clears one. */
export const lcdPatch = lcdCreate.partial().extend({
  unique_id: uuid.optional().describe('Read only, accepted unchanged'),
});
export type LcdPatch = z.infer<typeof lcdPatch>;

export const lcdColor = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i)
  .describe('Of the backlight, as #rrggbb');

/** The present display. */
export const lcdDisplay = z.strictObject({
  lcd_id: uuid,
  lines: z.array(z.string()).describe('From the top, each as long as the display has columns'),
  line_set: z.int().min(0).max(19).describe('Which line set is shown, counted from 0 to 19'),
  backlight: z.boolean(),
  color: lcdColor.nullable().describe('Of the backlight, null where none was chosen'),
  flash: z.boolean().describe('The backlight blinks'),
});
export type LcdDisplay = z.infer<typeof lcdDisplay>;

export const liveLcd = lcd.extend({ display: lcdDisplay.nullable().describe('null when unknown') });
export type LiveLcd = z.infer<typeof liveLcd>;

/** The reply to a display's command; 200 only if the display carried it out. */
export const lcdCommanded = z.strictObject({ lcd_id: uuid, message: z.string() });
export type LcdCommanded = z.infer<typeof lcdCommanded>;

const params = z.strictObject({ lcd_id: uuid });
const tag = 'lcds';
const commandErrors = ['not_found', 'not_active', 'command_failed', 'command_unknown', 'daemon_unreachable'] as const;

export const lcdEndpoints = {
  listSettings: endpoint({
    method: 'GET',
    path: '/api/settings/lcds',
    tag,
    summary: 'List the displays with their settings',
    access: 'view_settings',
    query: z.strictObject(pageQuery),
    answer: z.strictObject({ lcds: z.array(lcd), next_cursor: nextCursor }),
    statuses: [200],
  }),
  create: endpoint({
    method: 'POST',
    path: '/api/settings/lcds',
    tag,
    summary: 'Make a display',
    access: 'edit_controllers',
    body: lcdCreate,
    answer: lcd,
    statuses: [201],
    errors: ['unknown_reference'],
  }),
  getSettings: endpoint({
    method: 'GET',
    path: '/api/settings/lcds/:lcd_id',
    tag,
    summary: 'Read the settings of a display',
    access: 'view_settings',
    params,
    answer: lcd,
    statuses: [200],
    errors: ['not_found'],
  }),
  change: endpoint({
    method: 'PATCH',
    path: '/api/settings/lcds/:lcd_id',
    tag,
    summary: 'Change what the request names of a display',
    access: 'edit_controllers',
    params,
    body: lcdPatch,
    answer: lcd,
    statuses: [200],
    errors: ['not_found', 'unknown_reference', 'read_only_field'],
  }),
  remove: endpoint({
    method: 'DELETE',
    path: '/api/settings/lcds/:lcd_id',
    tag,
    summary: 'Delete a display that stands on no map',
    access: 'edit_controllers',
    params,
    answer: z.strictObject({ unique_id: uuid, deleted: z.literal(true) }),
    statuses: [200],
    errors: ['not_found', 'in_use'],
  }),
  list: endpoint({
    method: 'GET',
    path: '/api/lcds',
    tag,
    summary: 'List the displays with what they show',
    access: 'view_stats',
    answer: z.strictObject({ lcds: z.array(liveLcd) }),
    statuses: [200],
  }),
  get: endpoint({
    method: 'GET',
    path: '/api/lcds/:lcd_id',
    tag,
    summary: 'Read a display with what it shows',
    access: 'view_stats',
    params,
    answer: liveLcd,
    statuses: [200],
    errors: ['not_found'],
  }),
  backlight: endpoint({
    method: 'POST',
    path: '/api/lcds/:lcd_id/backlight',
    tag,
    summary: 'Switch the backlight of a display, or colour it',
    access: 'edit_controllers',
    budget: 'command',
    params,
    body: z.strictObject({ state: z.boolean(), color: lcdColor.optional() }),
    answer: lcdCommanded,
    statuses: [200],
    errors: commandErrors,
  }),
  flash: endpoint({
    method: 'POST',
    path: '/api/lcds/:lcd_id/flash',
    tag,
    summary: 'Let the backlight of a display blink, or end that',
    access: 'edit_controllers',
    budget: 'command',
    params,
    body: z.strictObject({ state: z.boolean() }),
    answer: lcdCommanded,
    statuses: [200],
    errors: commandErrors,
  }),
  reset: endpoint({
    method: 'POST',
    path: '/api/lcds/:lcd_id/reset',
    tag,
    summary: 'Connect a display anew: first line set, backlight on, no blinking',
    access: 'edit_controllers',
    budget: 'command',
    params,
    answer: lcdCommanded,
    statuses: [200],
    errors: commandErrors,
  }),
};

export const lcdKind = controllerKind({
  type: 'LCD',
  word: 'lcd',
  plural: 'lcds',
  noun: 'display',
  isDevice: true,
  alarmSource: 'controller',
  settings: lcd,
  endpoints: { ...lcdEndpoints, list: lcdEndpoints.listSettings, get: lcdEndpoints.getSettings },
});
