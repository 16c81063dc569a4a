/** Of our own elements in a GPX file, which has none for ids and properties. */
export const gpxPrefix = 'orangery';
