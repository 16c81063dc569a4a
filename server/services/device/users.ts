import type { ControllerReference, ControllerSettings } from '../../contract/controller-kind.ts';
import type { ControllerWord } from '../../contract/controller-kinds.ts';
import { Refusal } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { ActuatorBinding, SensorBinding } from '../../contract/facility-binding.ts';
import type { Interlock } from '../../contract/safety.ts';
import type { Input } from '../../contract/input.ts';
import type { Output } from '../../contract/output.ts';
import type { Unit } from '../../contract/unit.ts';
import { measuredDevices, type ControllerStores } from '../../db/repositories/controller-stores.ts';
import type { FacilityRepository } from '../../db/repositories/facility.ts';
import type { InputRepository } from '../../db/repositories/input.ts';
import type { LcdRepository } from '../../db/repositories/lcd.ts';
import type { PlacementRepository } from '../../db/repositories/placement.ts';
import { referring } from './references.ts';

export interface UserSources {
  facilities: Pick<FacilityRepository, 'usersOf' | 'get'>;
  placements: Pick<PlacementRepository, 'usersOf'>;
  lcds: Pick<LcdRepository, 'usersOf'>;
  inputs: Pick<InputRepository, 'usersOf'>;
  interlocks: () => readonly Interlock[];
  kinds: ControllerStores;
}

interface User {
  kind: 'facility' | 'feature' | 'lcd' | 'input' | 'interlock' | ControllerWord;
  /** Interlocks are identified by their names alone. */
  unique_id?: string;
  name: string;
}

/**
 * Throws `in_use` with what needs a device: facilities, features and maps, displays, inputs that switch it, and
 * controllers that use it.
 */
export function refuseUsedDevice(deviceId: string, { interlocks, ...sources }: UserSources): void {
  const { facilities, placements, lcds, inputs, kinds } = sources;
  const joins = ({ while_output_id, forbids_output_id }: Interlock): boolean =>
    [while_output_id, forbids_output_id].some((id) => id === deviceId);
  refuse([
    ...facilities.usersOf(deviceId).map((user) => ({ kind: 'facility' as const, ...user })),
    ...placements.usersOf(deviceId).map((user) => ({ kind: 'feature' as const, ...user })),
    ...lcds.usersOf(deviceId).map((user) => ({ kind: 'lcd' as const, ...user })),
    ...inputs.usersOf(deviceId).map((user) => ({ kind: 'input' as const, ...user })),
    ...controllersWith(kinds, ({ id }) => id === deviceId),
    ...interlocks()
      .filter(joins)
      .map(({ name }) => ({ kind: 'interlock' as const, name })),
  ]);
}

/** Throws `in_use` if a facility, as a sensor or a meter, or a display reads a series that a change would end. */
export function refuseUsedMeasurements(before: Input, after: Input, sources: Readers): void {
  const stays = new Set(after.channels.map(({ measurement_id }) => measurement_id));
  const ended = before.channels.map(({ measurement_id }) => measurement_id).filter((id) => !stays.has(id));
  refuseEnded(before.unique_id, ended, sources);
}

type Readers = Pick<UserSources, 'facilities' | 'lcds' | 'kinds'>;

function refuseEnded(deviceId: string, ended: readonly string[], { facilities, lcds, kinds }: Readers): void {
  if (ended.length === 0) return;
  const reads = ({ measurement_id }: Pick<SensorBinding, 'measurement_id'>): boolean => ended.includes(measurement_id);
  refuse([
    ...usersWhere(facilities, deviceId, ({ sensors, actuators }) =>
      [...sensors, ...actuators.flatMap(({ meter, flow_meter }) => [meter ?? [], flow_meter ?? []].flat())].some(reads),
    ),
    ...ended.flatMap((id) => lcds.usersOf(id)).map((user) => ({ kind: 'lcd' as const, ...user })),
    ...controllersWith(kinds, (one) => one.to === 'measurement' && reads(one)),
  ]);
}

/** Throws `in_use` if anything uses a controller's value whose quantity a change would alter or which it would end. */
export function refuseUsedQuantities(
  word: ControllerWord,
  before: ControllerSettings,
  after: ControllerSettings,
  { facilities, lcds, kinds }: Readers,
): void {
  const measured = measuredDevices(kinds);
  const stays = new Map(measured.channelsOf(word, after).map((one) => [one.measurement_id, one.measurement]));
  const ended = measured
    .channelsOf(word, before)
    .filter(({ measurement_id, measurement }) => stays.get(measurement_id) !== measurement)
    .map(({ measurement_id }) => measurement_id);
  refuseEnded(before.unique_id, ended, { facilities, lcds, kinds });
}

/** Throws `in_use` if a facility drives a channel that a change would end. */
export function refuseUsedChannels(before: Output, after: Output, { facilities, kinds }: UserSources): void {
  const stays = new Set(after.channels.map(({ channel }) => channel));
  const ended = before.channels.map(({ channel }) => channel).filter((channel) => !stays.has(channel));
  if (ended.length === 0) return;
  const lowest = Math.min(...before.channels.map(({ channel }) => channel));
  const drives = ({ device_id, channel }: Pick<ActuatorBinding, 'device_id' | 'channel'>): boolean =>
    device_id === before.unique_id && ended.includes(channel ?? lowest);
  refuse([
    ...usersWhere(facilities, before.unique_id, ({ actuators }) => actuators.some(drives)),
    ...controllersWith(kinds, (one) => one.to === 'output' && drives({ device_id: one.id, channel: one.channel })),
  ]);
}

/** Throws `in_use` if a controller sends to a notification target. */
export function refuseUsedTarget(targetId: string, kinds: ControllerStores): void {
  refuse(controllersWith(kinds, ({ to, id }) => to === 'target' && id === targetId));
}

/** Throws `in_use` if a sensor uses an own unit. */
export function refuseUsedUnit({ measurement, unit }: Unit, inputs: Pick<InputRepository, 'list'>): void {
  const speaks = ({ channels }: Input): boolean =>
    channels.some((channel) => channel.measurement === measurement && channel.raw_unit === unit);
  const users = inputs.list().filter(speaks);
  refuse(users.map(({ unique_id, name }) => ({ kind: 'input', unique_id, name })));
}

function controllersWith(kinds: ControllerStores, names: (reference: ControllerReference) => boolean): User[] {
  const users = referring(kinds).filter(({ references }) => references.some(names));
  return users.map(({ kind, settings: { unique_id, name } }) => ({ kind, unique_id, name }));
}

type Bindings = { sensors: SensorBinding[]; actuators: ActuatorBinding[] };

function usersWhere(facilities: UserSources['facilities'], id: string, uses: (bindings: Bindings) => boolean): User[] {
  const users = facilities.usersOf(id).filter(({ unique_id }) => {
    const found = facilities.get(unique_id);
    return found !== undefined && uses(found.facility);
  });
  return users.map((user) => ({ kind: 'facility', ...user }));
}

function refuse(users: readonly User[]): void {
  if (users.length === 0) return;
  const named = users.map((user) => `${user.kind} "${user.name}"`).join(', ');
  const names = users.map(({ name }) => name);
  const said = { ...why('used_by', { names }), message: `used by ${named}` };
  throw new Refusal('in_use', said, { members: { users } });
}
