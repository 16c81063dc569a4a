import type { Assumptions, ComputeRequest, ComputeWarning, Curtain, Material } from '../../contract/facility.ts';
import { seriesTransmission } from './heating.ts';
import { findMaterial } from './materials.ts';

/** What the covering and the curtains under it let through. */
export interface Covering {
  /** W/m2K by night, thermal curtains drawn: the ceiling ones under the roof, the wall ones inside sides and ends. */
  night: { roof_u_w_m2k: number; wall_u_w_m2k: number };
  /** W/m2K by day, thermal curtains open. */
  day_u_w_m2k: number;
  transmittance: number;
  absorptance: number;
  /** Share of the sun that the shade curtains leave. */
  shade_factor: number;
  /** Layers of fixed covering, and of thermal curtain under the roof: they set the infiltration. */
  coverLayers: number;
  curtainLayers: number;
  assumptions: Assumptions;
  warnings: ComputeWarning[];
}

const defaultScreen = 'aluminised_screen';

/** Reads the materials and curtains of a request. Throws UnknownMaterialError. */
export function readCovering(request: ComputeRequest, table: readonly Material[]): Covering {
  const cover = findMaterial(request.envelope.material, 'envelope.material', table);
  const innerCode = request.envelope.inner_material;
  const inner = innerCode === undefined ? [] : [findMaterial(innerCode, 'envelope.inner_material', table)];
  const screen = findMaterial(defaultScreen, 'curtains', table);
  const curtains = request.curtains ?? [];
  const fixed_u = inner.map((row) => row.u_w_m2k);
  const drawn = (position: Curtain['position']) =>
    curtains.filter((one) => one.kind === 'thermal' && one.position === position);
  const under = (position: Curtain['position']) =>
    seriesTransmission(cover.u_w_m2k, [...fixed_u, ...drawn(position).flatMap((one) => layersOf(one, screen))]);
  const rows = [cover, ...inner];
  const shades = curtains.filter((one) => one.kind === 'shade');
  return {
    night: { roof_u_w_m2k: under('ceiling'), wall_u_w_m2k: under('wall') },
    day_u_w_m2k: seriesTransmission(cover.u_w_m2k, fixed_u),
    transmittance: rows.reduce((share, row) => share * row.transmittance, 1),
    absorptance: cover.absorptance,
    shade_factor: shades.reduce((share, one) => share * (one.transmittance ?? screen.transmittance) ** one.layers, 1),
    coverLayers: rows.reduce((layers, row) => layers + row.layers, 0),
    curtainLayers: drawn('ceiling').reduce((layers, one) => layers + one.layers, 0),
    assumptions: { ...materialAssumptions(rows), ...curtainAssumptions(curtains, screen) },
    warnings: rows.filter((row) => row.kind === 'screen').map(screenWarning),
  };
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
        note: source ?? 'No published source; a usual value is assumed.',
      };
    }
  }
  return notes;
}

function curtainAssumptions(curtains: readonly Curtain[], screen: Material): Assumptions {
  const notes: Assumptions = {};
  if (curtains.some((one) => one.kind === 'thermal' && one.u_w_m2k === undefined)) {
    const note = `Thermal curtain without a figure: ${screen.name}.`;
    notes['curtain_u_w_m2k'] = { value: screen.u_w_m2k, unit: 'W/m2K', source: 'default', note };
  }
  if (curtains.some((one) => one.kind === 'shade' && one.transmittance === undefined)) {
    const note = `Shade curtain without a figure: ${screen.name}.`;
    notes['shade_transmittance'] = { value: screen.transmittance, unit: null, source: 'default', note };
  }
  return notes;
}

function screenWarning(row: Material): ComputeWarning {
  return { code: 'screen_as_cover', message: `${row.name} is a screen, not a covering.` };
}
