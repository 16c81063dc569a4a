import { z } from 'zod';
import { alarmLimits } from './alarm-limits.ts';
import { endpoint } from './endpoint.ts';
import { designConditions } from './envelope.ts';
import { language } from './language.ts';
import { featureType } from './overlay.ts';
import { pipePrices } from './pipe-prices.ts';
import { providers, providersPatch } from './provider.ts';
import { safetySettings } from './safety.ts';
import { wmsLayers, wmsLayersSent } from './wms-layer.ts';

const color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, 'must be # with six hexadecimal digits')
  .describe('#rrggbb');
const opacity = z.number().min(0).max(1).describe('0 (not seen) to 1');

export const themeEntry = z.strictObject({ color: color.optional(), opacity: opacity.optional() });
const themeEntryPatch = z.strictObject({ color: color.nullable().optional(), opacity: opacity.nullable().optional() });

/** What is written beside the features of a map. */
export const mapLabels = z.strictObject({
  names: z.boolean(),
  values: z.boolean().describe('Last readings and states of placed devices'),
  areas: z.boolean(),
  from_zoom: z.int().min(0).max(25).describe('None below this zoom'),
});

/** Settings that are one value each. */
export const plainSettings = z.strictObject({
  site_name: z.string().trim().max(200),
  lat: z.number().min(-90).max(90).describe('Where a new map opens, latitude in degrees'),
  lng: z.number().min(-180).max(180).describe('Where a new map opens, longitude in degrees'),
  zoom: z.int().min(0).max(25).describe('At which a new map opens, 0 (the world) to 25'),
  max_zoom: z.int().min(0).max(25).describe('Deepest zoom of a map, 0 to 25'),
  length_unit: z.enum(['m', 'ft']),
  temperature_unit: z.enum(['c', 'f']),
  language,
  time_zone: z.string().min(1).max(64).describe('IANA name'),
  base_layer: z.string().min(1).max(64),
  manual_hold_s: z
    .number()
    .min(0)
    .max(604_800)
    .describe('How long a manual command holds a channel that a PID or function drives, in s'),
});
/** Default hold of a manual command, s. */
export const defaultManualHold_s = 1800;
/** The location of a site until it is set. */
export const defaultPlace = { lat: 37.5665, lng: 126.978 };
export type PlainSettings = z.infer<typeof plainSettings>;

const themeText = 'How features of a type are drawn; one that is absent as the page itself draws it';
const visibilityText = 'Whether features of a type are shown at first; one that is absent is';

/** Settings of the map and the site. */
export const settings = plainSettings.extend({
  theme: z.partialRecord(featureType, themeEntry).describe(themeText),
  visibility: z.partialRecord(featureType, z.boolean()).describe(visibilityText),
  labels: mapLabels,
  providers,
  wms_layers: wmsLayers,
  design_conditions: designConditions.describe('Of the site, where a house does not say its own'),
  alarm_limits: alarmLimits,
  safety: safetySettings,
  pipe_prices: pipePrices,
});
export type Settings = z.infer<typeof settings>;

const conditionsPatch = z.strictObject({
  heating_indoor_c: designConditions.shape.heating_indoor_c.nullable(),
  heating_outdoor_c: designConditions.shape.heating_outdoor_c.nullable(),
  air_changes_per_h: designConditions.shape.air_changes_per_h.nullable(),
  wind_factor: designConditions.shape.wind_factor.nullable(),
  radiation_w_m2: designConditions.shape.radiation_w_m2.nullable(),
  latent_share: designConditions.shape.latent_share.nullable(),
  ventilation_rise_k: designConditions.shape.ventilation_rise_k.nullable(),
  elevation_m: designConditions.shape.elevation_m.nullable(),
});

/** A change of settings: objects merge by key, lists are replaced, null clears what is optional. */
export const settingsPatch = plainSettings.partial().extend({
  theme: z.partialRecord(featureType, themeEntryPatch.nullable()).optional().describe(themeText),
  visibility: z.partialRecord(featureType, z.boolean().nullable()).optional().describe(visibilityText),
  labels: mapLabels.partial().optional(),
  providers: providersPatch.optional(),
  wms_layers: wmsLayersSent.optional(),
  design_conditions: conditionsPatch.optional(),
  alarm_limits: alarmLimits.partial().optional(),
  safety: safetySettings.partial().optional(),
  pipe_prices: pipePrices.partial().optional(),
});
export type SettingsPatch = z.infer<typeof settingsPatch>;

export const settingEndpoints = {
  get: endpoint({
    method: 'GET',
    path: '/api/geo/settings',
    tag: 'settings',
    summary: 'Read the settings',
    access: 'login',
    answer: settings,
    statuses: [200],
  }),
  save: endpoint({
    method: 'POST',
    path: '/api/geo/settings',
    tag: 'settings',
    summary: 'Change settings; what is not named stays',
    access: 'edit_settings',
    body: settingsPatch,
    answer: settings,
    statuses: [200],
    errors: ['read_only_field', 'unknown_reference'],
  }),
};
