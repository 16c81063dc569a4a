import type { ActuatorRole } from '../../../server/contract/facility-binding.ts';
import type { OutputState } from '../../../server/contract/output.ts';
import type { SectionPoint } from '../../scene/section.ts';

/** What the drawing shows of all devices in one role. */
export interface RoleState {
  role: ActuatorRole;
  /** 0 to 100 %; null when one of them is unknown. */
  position_pct: number | null;
  count: number;
}

/** The mean position of each role that has devices, on as 100 %; one unknown device makes its role unknown. */
export function roleStates(devices: readonly { role: ActuatorRole; state: OutputState | undefined }[]): RoleState[] {
  const byRole = new Map<ActuatorRole, (number | null)[]>();
  for (const { role, state } of devices) byRole.set(role, [...(byRole.get(role) ?? []), percentOf(state)]);
  return [...byRole].map(([role, positions]) => {
    const known = positions.flatMap((position) => position ?? []);
    const isKnown = known.length === positions.length;
    const mean = known.reduce((sum, position) => sum + position, 0) / positions.length;
    return { role, position_pct: isKnown ? mean : null, count: positions.length };
  });
}

function percentOf(state: OutputState | undefined): number | null {
  if (state === null || state === undefined) return null;
  if (typeof state === 'number') return state;
  return state === 'on' ? 100 : 0;
}

/** How far a vent swings when fully open, degrees. */
const widest_deg = 42;

/** The free end of a flap hinged at `hinge` and closed at `rest`; y points down, way 1 swings clockwise. */
export function flapEnd(hinge: SectionPoint, rest: SectionPoint, swing: { pct: number; way: 1 | -1 }): SectionPoint {
  const angle = ((widest_deg * swing.pct) / 100) * (Math.PI / 180) * swing.way;
  const dx = rest.x - hinge.x;
  const dy = rest.y - hinge.y;
  return {
    x: hinge.x + dx * Math.cos(angle) - dy * Math.sin(angle),
    y: hinge.y + dx * Math.sin(angle) + dy * Math.cos(angle),
  };
}
