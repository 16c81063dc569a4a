import { presetEndpoints } from '../../contract/preset.ts';
import type { PresetService } from '../../services/device/preset.ts';
import { defineRoute, type Route } from '../route.ts';

export function presetRoutes(presets: PresetService): Route[] {
  return [
    defineRoute(presetEndpoints.simulatedGreenhouse, ({ body, actor }) => presets.simulatedGreenhouse(actor, body)),
  ];
}
