import type { ActuatorBinding, ActuatorRole, Face } from '../../server/contract/facility.ts';
import type { OutputState } from '../../server/contract/output.ts';
import type { Drive, PartState } from './part.ts';

/**
 * What moves a part: the output named for it, else the actuators of its role bound to its face or to no face. With
 * `isOwnAlone` only those of its face, as for doors and windows of the ends.
 */
export function drivesOf(
  actuators: readonly ActuatorBinding[],
  by: { device_id?: string | undefined; role: ActuatorRole; face?: Face; isOwnAlone?: boolean },
): Drive[] {
  const named = by.device_id;
  if (named !== undefined) {
    const bound = actuators.find(({ device_id }) => device_id === named);
    return [{ device_id: named, channel: bound?.channel ?? null }];
  }
  const ofRole = actuators.filter(({ role }) => role === by.role);
  const here = ofRole.filter(
    ({ wall }) => (wall === undefined && by.isOwnAlone !== true) || by.face === undefined || wall === by.face,
  );
  return here.map(driveOf);
}

export function driveOf({ device_id, channel }: ActuatorBinding): Drive {
  return { device_id, channel: channel ?? null };
}

/** The mean position of what moves a part, on as 100 %; one unknown device makes it unknown. */
export function stateOf(drives: readonly Drive[], said: (drive: Drive) => OutputState | undefined): PartState {
  if (drives.length === 0) return 'undriven';
  let sum = 0;
  for (const drive of drives) {
    const state = said(drive);
    if (state === null || state === undefined) return 'unknown';
    sum += typeof state === 'number' ? state : state === 'on' ? 100 : 0;
  }
  return sum / drives.length;
}
