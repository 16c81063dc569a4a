import type {
  Assumptions,
  ComputeRequest,
  ComputeWarning,
  Curtain,
  GeometryTerms,
  Material,
} from '../../contract/facility.ts';
import { seriesTransmission } from './heating.ts';
import { findMaterial } from './materials.ts';
import { noteOf } from '../../contract/assumption-note.ts';

/** Heat transmission of the faces, W/m2K. */
export interface Transmission {
  roof_u_w_m2k: number;
  side_u_w_m2k: number;
  end_u_w_m2k: number;
}

/** Properties of the covering and the curtains under it. */
export interface Covering {
  /** W/m2K by night, thermal curtains drawn: ceiling curtains under the roof, wall curtains inside sides and ends. */
  night: Transmission;
  /** W/m2K by day, thermal curtains open. */
  day: Transmission;
  transmittance: number;
  absorptance: number;
  /** Share of the sun that the shade curtains let through. */
  shade_factor: number;
  /** Layers of fixed covering, and of thermal curtain under the roof: they determine the infiltration. */
  coverLayers: number;
  curtainLayers: number;
  assumptions: Assumptions;
  warnings: ComputeWarning[];
}

const defaultScreen = 'aluminised_screen';

/** Reads the materials and curtains of a request. Throws UnknownMaterialError. */
export function readCovering(request: ComputeRequest, table: readonly Material[]): Covering {
  const { material, side_material, end_material, inner_material } = request.envelope;
  const cover = findMaterial(material, 'envelope.material', table);
  const side = findMaterial(side_material ?? material, 'envelope.side_material', table);
  const end = findMaterial(end_material ?? material, 'envelope.end_material', table);
  const inner = inner_material === undefined ? [] : [findMaterial(inner_material, 'envelope.inner_material', table)];
  const screen = findMaterial(defaultScreen, 'curtains', table);
  const curtains = request.curtains ?? [];
  const fixed_u = inner.map((row) => row.u_w_m2k);
  const drawn = (position: Curtain['position']) =>
    curtains.filter((one) => one.kind === 'thermal' && one.position === position);
  const under = (position: Curtain['position']): number[] => drawn(position).flatMap((one) => layersOf(one, screen));
  const through = (ceiling_u: readonly number[], wall_u: readonly number[]): Transmission => ({
    roof_u_w_m2k: seriesTransmission(cover.u_w_m2k, [...fixed_u, ...ceiling_u]),
    side_u_w_m2k: seriesTransmission(side.u_w_m2k, [...fixed_u, ...wall_u]),
    end_u_w_m2k: seriesTransmission(end.u_w_m2k, [...fixed_u, ...wall_u]),
  });
  const rows = [cover, ...inner];
  const all = [...new Set([cover, side, end, ...inner])];
  const shades = curtains.filter((one) => one.kind === 'shade');
  return {
    night: through(under('ceiling'), under('wall')),
    day: through([], []),
    transmittance: rows.reduce((share, row) => share * row.transmittance, 1),
    absorptance: cover.absorptance,
    shade_factor: shades.reduce((share, one) => share * (one.transmittance ?? screen.transmittance) ** one.layers, 1),
    coverLayers: rows.reduce((layers, row) => layers + row.layers, 0),
    curtainLayers: drawn('ceiling').reduce((layers, one) => layers + one.layers, 0),
    assumptions: { ...materialAssumptions(all), ...curtainAssumptions(curtains, screen) },
    warnings: all.filter((row) => row.kind === 'screen').map(screenWarning),
  };
}

/** The roof's transmission and the area-weighted mean of the walls', as the loads use them. */
export function meanTransmission(
  { side_area_m2, end_area_m2 }: GeometryTerms,
  { roof_u_w_m2k, side_u_w_m2k, end_u_w_m2k }: Transmission,
): { roof_u_w_m2k: number; wall_u_w_m2k: number } {
  if (side_u_w_m2k === end_u_w_m2k) return { roof_u_w_m2k, wall_u_w_m2k: side_u_w_m2k };
  const walls_w_k = side_u_w_m2k * side_area_m2 + end_u_w_m2k * end_area_m2;
  return { roof_u_w_m2k, wall_u_w_m2k: walls_w_k / (side_area_m2 + end_area_m2) };
}

function layersOf(curtain: Curtain, screen: Material): number[] {
  return new Array<number>(curtain.layers).fill(curtain.u_w_m2k ?? screen.u_w_m2k);
}

function materialAssumptions(rows: readonly Material[]): Assumptions {
  const notes: Assumptions = {};
  for (const row of rows) {
    for (const [figure, unit] of [
      ['u_w_m2k', 'W/m2K'],
      ['transmittance', null],
      ['absorptance', null],
    ] as const) {
      const { source, assumed } = row.provenance[figure];
      notes[`${row.code}.${figure}`] = {
        value: row[figure],
        unit,
        source: assumed ? 'assumed' : 'table',
        ...(source === null ? noteOf('unpublished') : noteOf('published', { source })),
      };
    }
  }
  return notes;
}

function curtainAssumptions(curtains: readonly Curtain[], screen: Material): Assumptions {
  const notes: Assumptions = {};
  if (curtains.some((one) => one.kind === 'thermal' && one.u_w_m2k === undefined)) {
    const why = noteOf('thermal_curtain');
    notes['curtain_u_w_m2k'] = { value: screen.u_w_m2k, unit: 'W/m2K', source: 'default', ...why };
  }
  if (curtains.some((one) => one.kind === 'shade' && one.transmittance === undefined)) {
    const why = noteOf('shade_curtain');
    notes['shade_transmittance'] = { value: screen.transmittance, unit: null, source: 'default', ...why };
  }
  return notes;
}

function screenWarning(row: Material): ComputeWarning {
  return { code: 'screen_as_cover', message: `${row.name} is a screen, not a covering.` };
}
