import { climateEndpoints } from '../../../server/contract/climate.ts';
import type { Face, Opening } from '../../../server/contract/facility.ts';
import { overlayEndpoints } from '../../../server/contract/overlay.ts';
import { presetEndpoints } from '../../../server/contract/preset.ts';
import { smallestRectangle } from '../../../server/domain/geometry/smallest-rectangle.ts';
import { simulatedEnvelope, simulatedVents } from '../../../server/domain/simulation/simulated-envelope.ts';
import { useCall } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { rectangleAround } from '../../map/geodesy.ts';
import { useDesigns } from '../../stores/design.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useLive } from '../../stores/live.ts';
import { useSettings } from '../../stores/settings.ts';
import { simulatedNames } from '../../ui/simulated-names.ts';
import { suggestBindings } from '../facility/binding.ts';
import { newDraft, saveOf } from '../facility/draft.ts';

/**
 * Makes the simulated greenhouse whole: its devices, a map, the house with what is bound in it, and a program that runs it.
 * Called again after a failure it goes on where it stopped.
 *
 * @returns makes it, and returns the id of the house.
 */
export function useSimulatedHouse(): () => Promise<string> {
  const call = useCall();
  const text = useText();
  const { t } = text;
  const live = useLive();
  const designs = useDesigns();
  const facilities = useFacilities();
  const settings = useSettings();
  /** What the house stands on; kept, so that a second try draws no second one. */
  const shape_uuid = crypto.randomUUID();
  let isDrawn = false;

  async function makeDevices(): Promise<void> {
    await live.reload();
    if (live.devices.length > 0) return;
    await call(presetEndpoints.simulatedGreenhouse, { body: simulatedNames(t('setup.simulatedName'), text) });
    await live.reload();
  }

  async function draw(): Promise<ReturnType<typeof smallestRectangle>> {
    const { lat, lng, site_name } = settings.site ?? { lat: 0, lng: 0, site_name: '' };
    const { bay_width_m: width_m, length_m } = simulatedEnvelope;
    const geometry = {
      type: 'Polygon' as const,
      coordinates: [rectangleAround({ lat, lng }, { width_m, length_m })],
    };
    if (isDrawn) return smallestRectangle(geometry);
    await designs.load();
    const { map_uuid: geo_id } = designs.list[0] ?? (await designs.create(site_name || t('map.map')));
    const properties = { type: 'facility' as const, name: t('setup.houseName'), unique_id: shape_uuid };
    await call(overlayEndpoints.delta, { body: { geo_id, added: [{ type: 'Feature', geometry, properties }] } });
    isDrawn = true;
    return smallestRectangle(geometry);
  }

  /** The vents as the model has them, each moved by the motor of its kind. */
  function vents(deviceOf: (role: string) => string | undefined): Opening[] {
    const { eave_height_m, ridge_height_m } = simulatedEnvelope;
    const { side_vent_area_m2, roof_vent_area_m2 } = simulatedVents;
    const side = { role: 'side_vent', area_m2: side_vent_area_m2, centre_height_m: eave_height_m / 2 };
    const roof = { role: 'roof_vent', area_m2: roof_vent_area_m2 / 2, centre_height_m: ridge_height_m };
    const placed: [Face, typeof side][] = [
      ['right', side],
      ['left', side],
      ['roof_right', roof],
      ['roof_left', roof],
    ];
    return placed.map(([face, { role, ...size }]) => {
      const motor = deviceOf(role);
      const moved = motor !== undefined && { actuator_device_id: motor };
      return { id: face, name: t(`facility.faces.${face}`), face, ...size, ...moved };
    });
  }

  async function makeHouse(): Promise<string> {
    await facilities.load();
    const [known] = facilities.list;
    if (known !== undefined) return known.unique_id;
    const draft = newDraft({ uuid: shape_uuid, name: t('setup.houseName'), box: await draw() });
    const bound = suggestBindings(live.devices, { sensors: [], actuators: [] }, new Set());
    const deviceOf = (role: string): string | undefined => bound.actuators.find((one) => one.role === role)?.device_id;
    const envelope = { ...draft.envelope, ...simulatedEnvelope };
    const whole = { ...draft, ...bound, structure: 'single' as const, bay_count: 1, envelope };
    return (await facilities.save(saveOf({ ...whole, openings: vents(deviceOf) }, null))).unique_id;
  }

  async function run(facility_uuid: string): Promise<void> {
    const { presets } = await call(climateEndpoints.presets);
    const tomato = presets.find(({ crop }) => crop === 'tomato');
    if (tomato === undefined) return;
    const { periods, ...program } = tomato.program;
    const named = periods.map((one, index) => ({ ...one, name: t(index === 0 ? 'climate.day' : 'climate.night') }));
    await call(climateEndpoints.save, {
      params: { facility_uuid },
      body: { ...program, periods: named, name: t('climate.preset.crops.tomato'), is_activated: true },
    });
  }

  return async () => {
    await makeDevices();
    const house = await makeHouse();
    await run(house);
    return house;
  };
}
