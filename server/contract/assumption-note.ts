/** Why a figure was assumed, as a sentence; `{name}` stands for one of its values. */
export const assumptionNotes = {
  of_site: 'From the design conditions of the site.',
  published: '{source}',
  unpublished: 'No published source; a typical value is assumed.',
  thermal_curtain: 'No value is given for the thermal curtain: a typical one is assumed.',
  shade_curtain: 'No value is given for the shade curtain: a typical one is assumed.',
  crop_minimum: 'Lowest temperature that common crops tolerate.',
  cover_layers: 'From the number of covering and curtain layers, RDA table 3-3-34.',
  sheltered: 'Not a windy site, RDA table 3-3-35.',
  full_canopy: 'A full canopy.',
  usual: 'A typical value.',
  sea_level: 'At sea level.',
  as_by_night: 'As by night.',
  near_station: '{station}, {distance_km} km away, TAC 1 %.',
  unknown_place: 'No design temperature is known for this place.',
  coldest_by_latitude:
    'Estimated from the latitude, as no climate station is near: mean minimum of the coldest month less 0.3 of the difference between the warmest and the coldest month.',
  coldest_by_station:
    'Estimated from the climate normals of {station}, {distance_km} km away: mean minimum of the coldest month less 0.3 of the difference between the warmest and the coldest month.',
  clear_noon: 'Global radiation of a clear summer noon.',
  clear_noon_by_latitude: '0.9 of the clearest noon at this latitude (Haurwitz 1945).',
  air_heat: 'Air of 1.2 kg/m³ at sea level, less above it by the standard atmosphere, and 1005 J/(kg·K).',
  outside_film: 'Film on the outside of the covering, ASHRAE Fundamentals.',
  least_ventilation: 'Minimum forced ventilation for the floor, 8 cfm/ft², ASABE EP406.',
  calm_ventilation: 'Worst case of natural ventilation: these temperatures, no wind, everything open.',
  ridge_from_ground: 'The ridge height is not below the eave height: it is measured from the ground.',
  ridge_from_eave: 'The ridge height is below the eave height: it is measured from the eave.',
  connected_bays: 'Bays count as connected unless marked as detached.',
  no_roof_type: 'No roof type is given.',
  weather_by_latitude: 'No climate station is near: means by latitude.',
  weather_by_station: 'Days generated to match the means of {station}, {distance_km} km away. {source}',
  weather_file: 'Hourly values of the chosen weather file.',
  no_openings: 'No openings are given: each long side opens 0.15 of the floor at half the eave height, the ridge 0.10.',
  whole_face: 'An opening given by its area alone counts as a strip along its whole face.',
  sharp_edged: 'Sharp-edged opening.',
  along_shape: 'No orientation is given: the length runs along the long axis of the shape.',
  faces_north: 'Neither orientation nor shape is given: the front faces north.',
  square_plan:
    'Above 30 degrees, blended in from 25, the coefficients of a square plan stand in for those of a long one.',
  sawtooth_left: 'The vertical face of each bay faces left.',
  span_shares: 'Roof coefficients count 1.0 for the first span, 0.8 for the second, 0.6 from the third.',
  last_reading: 'The last good reading.',
  no_reading: 'No temperature is given and there is no good reading.',
  fully_open: 'All openings fully open.',
  calm: 'Calm has no direction.',
} as const;
export type AssumptionNote = keyof typeof assumptionNotes;
export const assumptionNoteCodes = Object.keys(assumptionNotes) as [AssumptionNote, ...AssumptionNote[]]; // of the object above

type Values = Record<string, string | number>;

/** The parts of an assumption that explain it: in English, and as a code for other languages. */
export function noteOf(note_code: AssumptionNote, note_values?: Values) {
  const note = assumptionNotes[note_code].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(note_values?.[name]));
  return { note, note_code, ...(note_values && { note_values }) };
}
