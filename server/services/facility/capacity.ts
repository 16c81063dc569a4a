import type { ComputeRequest, ComputeResult, Material } from '../../contract/facility.ts';
import { computeCapacity } from '../../domain/capacity/compute.ts';
import type { SiteContext } from '../../domain/capacity/design.ts';
import { materials } from '../../domain/capacity/materials.ts';
import { groundArea_m2, middleOf } from '../../domain/geometry/ground-area.ts';
import type { PlacementRepository } from '../../db/repositories/placement.ts';
import { findShape, withKnownMaterials } from './check.ts';

interface CapacitySources {
  placements: Pick<PlacementRepository, 'shape'>;
  /** Place and design conditions of the site. */
  site: () => SiteContext;
}

/** What houses can do, existing or not. */
export class FacilityCapacity {
  readonly #sources: CapacitySources;

  constructor(sources: CapacitySources) {
    this.#sources = sources;
  }

  /** Throws `unknown_material`, `unknown_reference`, `invalid_shape`. */
  compute(request: ComputeRequest): ComputeResult {
    const context = this.contextOf(request);
    return withKnownMaterials(() => computeCapacity(request, context));
  }

  /** The site context of a house: the place of its drawn shape overrides that of the site. Throws as `compute`. */
  contextOf(request: ComputeRequest): SiteContext {
    return { ...this.#sources.site(), ...this.#drawn(request.shape_uuid) };
  }

  #drawn(shapeId: string | undefined): SiteContext {
    if (shapeId === undefined) return {};
    const { geometry } = findShape(shapeId, this.#sources.placements);
    return { ...middleOf(geometry), drawn_area_m2: groundArea_m2(geometry) ?? undefined };
  }
}

export function listMaterials(): Material[] {
  return [...materials];
}
