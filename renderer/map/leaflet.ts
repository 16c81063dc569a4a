import L from 'leaflet';
import 'leaflet-draw';
import 'leaflet/dist/leaflet.css';
import 'leaflet-draw/dist/leaflet.draw.css';
import './leaflet.css';

// leaflet-draw still asks for the name that Leaflet dropped, and its own area text assigns an undeclared variable.
Object.assign(L.Polyline, { _flat: L.LineUtil.isFlat });
Object.assign(L.GeometryUtil, { readableArea: () => '' });
// Leaflet's own link leads off the site and off the LAN; its licence asks for no attribution.
L.Control.Attribution.prototype.options.prefix = false;

export { L };
