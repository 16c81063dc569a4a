import { climateEndpoints } from '../../../server/contract/climate.ts';
import { deviceEndpoints, type Device } from '../../../server/contract/device.ts';
import type { Face, Facility, Opening } from '../../../server/contract/facility.ts';
import { overlayEndpoints } from '../../../server/contract/overlay.ts';
import { presetEndpoints } from '../../../server/contract/preset.ts';
import { smallestRectangle } from '../../../server/domain/geometry/smallest-rectangle.ts';
import { simulatedEnvelope, simulatedVents } from '../../../server/domain/simulation/simulated-envelope.ts';
import { isApiError } from '../../client/api-error.ts';
import { useCall } from '../../client/client.ts';
import { useText } from '../../i18n/index.ts';
import { rectangleAround } from '../../map/geodesy.ts';
import { useDesigns } from '../../stores/design.ts';
import { useFacilities } from '../../stores/facility.ts';
import { useLive } from '../../stores/live.ts';
import { useSettings } from '../../stores/settings.ts';
import { suggestBindings, type Suggestion } from '../facility/binding.ts';
import { newDraft, saveOf } from '../facility/draft.ts';

const devicesOf = ({ sensors, actuators }: Facility): string[] =>
  [...sensors, ...actuators].map(({ device_id }) => device_id);

/**
 * Creates the complete simulated greenhouse: devices, a map, the house with its bindings, and a running program. It
 * reuses what an earlier attempt made, so a second try continues; other houses, devices and programs stay as they are.
 * @returns a function that creates it and returns the id of the house
 */
export function useSimulatedHouse(): () => Promise<string> {
  const call = useCall();
  const { t } = useText();
  const live = useLive();
  const designs = useDesigns();
  const facilities = useFacilities();
  const settings = useSettings();

  async function simulatedDevices(): Promise<Device[]> {
    const { devices } = await call(deviceEndpoints.devices);
    return devices.filter(({ driver }) => driver === 'simulated');
  }

  /** Binds the simulated devices that belong to no house, creating them when the heater is missing. */
  async function bind(): Promise<Suggestion> {
    const taken = new Set(facilities.list.flatMap(devicesOf));
    const suggest = async (): Promise<Suggestion> =>
      suggestBindings(await simulatedDevices(), { sensors: [], actuators: [] }, { taken, t });
    const known = await suggest();
    if (known.actuators.some(({ role }) => role === 'heater')) return known;
    await call(presetEndpoints.simulatedGreenhouse, { body: { name: t('setup.simulatedName') } });
    await live.reload();
    return suggest();
  }

  /** The first map, or a new one when there are other houses. */
  async function mapId(): Promise<string> {
    await designs.load();
    const isAlone = facilities.list.length === 0;
    const own = isAlone ? settings.site?.site_name || t('map.map') : t('setup.houseName');
    const known = isAlone ? designs.list[0] : designs.list.find(({ name }) => name === own);
    return (known ?? (await designs.create(own))).map_uuid;
  }

  /** The shape of the house: an existing one without a house, or a new one. */
  async function shape(): Promise<Parameters<typeof newDraft>[0]> {
    const name = t('setup.houseName');
    const built = new Set([...facilities.list, ...facilities.trash].map(({ shape_uuid }) => shape_uuid));
    const { features } = await call(overlayEndpoints.list, { query: { type: 'facility', limit: 10_000 } });
    const known = features.find((one) => one.properties.name === name && !built.has(one.properties.unique_id));
    if (known !== undefined) {
      return { uuid: known.properties.unique_id, name, box: smallestRectangle(known.geometry) };
    }
    const { lat, lng } = settings.site ?? { lat: 0, lng: 0 };
    const { bay_width_m: width_m, length_m } = simulatedEnvelope;
    const coordinates = [rectangleAround({ lat, lng }, { width_m, length_m })];
    const geometry = { type: 'Polygon' as const, coordinates };
    const uuid = crypto.randomUUID();
    const properties = { type: 'facility' as const, name, unique_id: uuid };
    const geo_id = await mapId();
    await call(overlayEndpoints.delta, { body: { geo_id, added: [{ type: 'Feature', geometry, properties }] } });
    return { uuid, name, box: smallestRectangle(geometry) };
  }

  /** The vents of the simulation model, each moved by the motor of its kind. */
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

  /**
   * The house that drives and reads simulated devices alone, whatever it is called by now and in which language it was
   * made.
   */
  async function findHouse(): Promise<Facility | undefined> {
    await facilities.load();
    const simulated = new Set((await simulatedDevices()).map(({ unique_id }) => unique_id));
    return facilities.list.find((house) => {
      const devices = devicesOf(house);
      return devices.length > 0 && devices.every((id) => simulated.has(id));
    });
  }

  async function makeHouse(): Promise<Facility> {
    const bound = await bind();
    const draft = newDraft(await shape());
    const deviceOf = (role: string): string | undefined => bound.actuators.find((one) => one.role === role)?.device_id;
    const envelope = { ...draft.envelope, ...simulatedEnvelope };
    const whole = { ...draft, ...bound, structure: 'single' as const, bay_count: 1, envelope };
    return facilities.save(saveOf({ ...whole, openings: vents(deviceOf) }, null));
  }

  async function hasProgram(facility_uuid: string): Promise<boolean> {
    try {
      await call(climateEndpoints.ofHouse, { params: { facility_uuid } });
      return true;
    } catch (error) {
      if (isApiError(error) && error.code === 'not_found') return false;
      throw error;
    }
  }

  /** Creates the program of a house that has none; the server refuses a second one. */
  async function run(facility_uuid: string): Promise<void> {
    const { presets } = await call(climateEndpoints.presets);
    const tomato = presets.find(({ crop }) => crop === 'tomato');
    if (tomato === undefined) throw new Error('the server has no climate program for tomatoes');
    const { periods, ...program } = tomato.program;
    const named = periods.map((one, index) => ({ ...one, name: t(index === 0 ? 'climate.day' : 'climate.night') }));
    const name = t('climate.preset.crops.tomato');
    const body = { ...program, periods: named, name, facility_uuid, is_activated: true };
    await call(climateEndpoints.create, { body });
  }

  return async () => {
    const known = await findHouse();
    const { unique_id } = known ?? (await makeHouse());
    if (known === undefined || !(await hasProgram(unique_id))) await run(unique_id);
    return unique_id;
  };
}
