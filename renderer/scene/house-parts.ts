import type { Facility, FacilityPreset } from '../../server/contract/facility.ts';
import type { Outline } from './bays.ts';
import { coveringParts } from './covering.ts';
import { actuatorParts, curtainParts, fanParts } from './equipment.ts';
import { cropPart, framePart } from './frame.ts';
import { openingParts, placeOpenings } from './openings.ts';
import type { Part } from './part.ts';
import { sensorParts, type Spot } from './sensors.ts';

/** What the model shows of a facility, saved or being edited. */
export interface ModelHouse extends Pick<Facility, 'openings' | 'curtains' | 'fans' | 'actuators' | 'sensors'> {
  outline: Outline;
  preset: FacilityPreset;
  /** Devices on the map, by id in lower case. */
  spots: ReadonlyMap<string, Spot>;
}

/** A house as parts with their dimensions and places, in metres; what they do at the moment is not in it. */
export function houseParts(house: ModelHouse): Part[] {
  const { outline, actuators } = house;
  const placed = placeOpenings(outline, house.openings, actuators);
  const crop = cropPart(outline, house.preset);
  return [
    ...coveringParts(
      outline,
      placed.flatMap(({ cuts }) => cuts),
    ),
    framePart(outline),
    ...(crop === null ? [] : [crop]),
    ...openingParts(outline, placed, actuators),
    ...curtainParts(outline, house.curtains, actuators),
    ...fanParts(outline, house.fans, actuators),
    ...actuatorParts(outline, actuators),
    ...sensorParts(outline, house.sensors, house.spots),
  ];
}
