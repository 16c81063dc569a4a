import { defaultAlarmLimits } from '../../contract/alarm-limits.ts';
import { mapServiceIds, type MapServiceId } from '../../contract/map-service.ts';
import { defaultSafety } from '../../contract/safety.ts';
import { defaultManualHold_s, defaultPlace, type Settings } from '../../contract/setting.ts';

/** The settings of a new installation; `timeZone` is an IANA name. */
export function defaultSettings(timeZone: string): Settings {
  return {
    site_name: '',
    ...defaultPlace,
    zoom: 13,
    max_zoom: 22,
    length_unit: 'm',
    temperature_unit: 'c',
    language: 'en',
    time_zone: timeZone,
    base_layer: 'natural_earth',
    manual_hold_s: defaultManualHold_s,
    theme: {},
    visibility: {},
    labels: { names: true, values: true, areas: false, from_zoom: 17 },
    providers: {
      ...mapServicesOff(),
      rainviewer: { enabled: true },
      isric: { enabled: true },
      openmeteo: { enabled: true },
      openweather: { enabled: false },
      vworld: { enabled: false },
      tiles: { enabled: true, templates: [] },
      nominatim: { enabled: false },
      parcels: { enabled: true, services: [] },
    },
    wms_layers: [],
    design_conditions: {},
    alarm_limits: defaultAlarmLimits,
    safety: defaultSafety,
    pipe_prices: { currency: 'KRW', prices: [] },
  };
}

/** Showing a map from the internet reveals to a stranger where the farm is: a person must turn that on. */
function mapServicesOff(): Record<MapServiceId, { enabled: boolean }> {
  const entries = mapServiceIds.map((id) => [id, { enabled: false }]);
  return Object.fromEntries(entries) as Record<MapServiceId, { enabled: boolean }>; // of all ids
}
