import type { ControllerReference, ControllerSettings } from '../../contract/controller-kind.ts';
import { allKinds, type ControllerWord } from '../../contract/controller-kinds.ts';
import { Refusal, refuseField } from '../../contract/errors.ts';
import { why, type Said } from '../../contract/refusal-reason.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import { measuredDevices, type ControllerStores } from '../../db/repositories/controller-stores.ts';
import { driverOf } from '../../domain/control/driven-outputs.ts';
import { circleOf, type StoredControllers } from '../../domain/control/measured-devices.ts';
import type { Trigger } from '../../contract/trigger.ts';
import { endlessLoop } from '../../domain/control/triggers/endless.ts';

type Houses = Pick<FacilityRepository, 'get'>;

/** A controller that refers to others. */
interface Referring {
  kind: ControllerWord;
  settings: ControllerSettings;
  references: ControllerReference[];
}

/** Everything stored that refers to something, with its references. */
export function referring(stores: ControllerStores): Referring[] {
  return allKinds.flatMap(({ word, stored }) => {
    if (stored === undefined) return [];
    const all: readonly ControllerSettings[] = stores[word].list();
    return all.map((settings) => ({ kind: word, settings, references: stored.references(settings) }));
  });
}

/** Throws `unknown_reference` for the first that leads nowhere. */
export function refuseUnknown(
  references: readonly ControllerReference[],
  stores: ControllerStores,
  facilities: Houses,
): void {
  for (const reference of references) {
    const fault = reference.to === 'facility' ? houseFault(reference, facilities) : faultOf(reference, stores);
    if (fault !== undefined) throw refuseField('unknown_reference', fault[0], fault[1]);
  }
}

/** Throws `circular_reference` with the names along the circle if a controller would depend on its own value. */
export function refuseCircle(word: ControllerWord, settings: ControllerSettings, stores: ControllerStores): void {
  const through = circleOf(word, settings, { get: (kind, id) => stores[kind].get(id) });
  if (through === null) return;
  const way = [settings.name, ...through].map((name) => `"${name}"`).join(' goes by ');
  throw new Refusal('circular_reference', `it would go by its own value: ${way}`, { members: { through } });
}

/** Throws `endless_loop` with the names if triggers would switch an output on and off through each other at once. */
export function refuseEndless(word: ControllerWord, settings: ControllerSettings, stores: ControllerStores): void {
  if (word !== 'trigger' || !settings.is_activated) return;
  const others = stores.trigger.list().filter(({ unique_id }) => unique_id !== settings.unique_id);
  const through = endlessLoop([settings as Trigger, ...others]); // of that word
  if (through === null) return;
  const names = through.map((name) => `"${name}"`).join(', ');
  throw new Refusal('endless_loop', `${names} would switch an output on and off without end`, { members: { through } });
}

type Fault = readonly [path: string, said: Said];

function faultOf(
  reference: Exclude<ControllerReference, { to: 'facility' }>,
  stores: ControllerStores,
): Fault | undefined {
  const { path, id, to } = reference;
  if (to === 'output') {
    const output = stores.output.get(id);
    if (output === undefined) return [`${path}.output_id`, why('no_such_output')];
    const isThere = output.channels.some(({ channel }) => channel === (reference.channel ?? channel));
    return isThere ? undefined : [`${path}.channel`, why('no_such_channel')];
  }
  if (to === 'measurement') {
    const device = measuredDevices(stores).get(id);
    if (device === undefined) return [`${path}.device_id`, why('measures_nothing')];
    const isThere = device.channels.some(({ measurement_id }) => measurement_id === reference.measurement_id);
    return isThere ? undefined : [`${path}.measurement_id`, why('no_such_measurement')];
  }
  if (to === 'target') return undefined; // targets are not among what the daemon runs
  const kind = allKinds.find(({ word }) => word === reference.kind);
  const isThere = kind !== undefined && stores[kind.word].get(id) !== undefined;
  return isThere ? undefined : [path, why('no_such_controller', { noun: kind?.noun ?? reference.kind })];
}

function houseFault({ path, id }: ControllerReference, facilities: Houses): Fault | undefined {
  return livingHouse(id, facilities) === undefined ? [path, why('no_such_facility')] : undefined;
}

function livingHouse(id: string, facilities: Houses) {
  const stored = facilities.get(id);
  return stored?.deleted_at === null ? stored.facility : undefined;
}

/** Throws `output_driven` with the owner if another running controller drives the same channel. */
export function refuseDriven(
  settings: ControllerSettings,
  references: readonly ControllerReference[],
  sources: { kinds: ControllerStores; facilities: Houses },
): void {
  if (!settings.is_activated) return;
  const { kinds: stores, facilities } = sources;
  const stored: StoredControllers = {
    list: (word) => stores[word].list(),
    get: (word, id) => stores[word].get(id),
  };
  const houseOf = (id: string) => livingHouse(id, facilities);
  const driver = driverOf(settings, references, { stored, houseOf, isAtWork: ({ is_activated }) => is_activated });
  if (driver === undefined) return;
  const { kind, settings: theirs } = driver;
  const owner = { kind, unique_id: theirs.unique_id, name: theirs.name };
  const said = {
    ...why('output_driven_by', { names: [theirs.name] }),
    message: `its output is driven by ${kind} "${theirs.name}"`,
  };
  throw new Refusal('output_driven', said, { members: { owner } });
}
