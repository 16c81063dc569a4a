export interface Place {
  lat: number;
  lng: number;
}

/** Haversine distance on a sphere of 6371.0088 km, in km. */
export function greatCircle_km(from: Place, to: Place): number {
  const radians = Math.PI / 180;
  const halfChord =
    Math.sin(((to.lat - from.lat) * radians) / 2) ** 2 +
    Math.cos(from.lat * radians) * Math.cos(to.lat * radians) * Math.sin(((to.lng - from.lng) * radians) / 2) ** 2;
  return 2 * 6371.0088 * Math.asin(Math.min(1, Math.sqrt(halfChord)));
}
