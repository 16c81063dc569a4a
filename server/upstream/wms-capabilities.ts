import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { wmsFormats, type WmsOffer } from '../contract/wms-layer.ts';

type Element = Readonly<Record<string, unknown>>;
type Offered = WmsOffer['layers'][number];

/** What a layer inherits from those above it (OGC 06-042, 7.2.4.8). */
type Inherited = Pick<Offered, 'crs' | 'styles' | 'is_queryable'>;

/** Maximum layers of one document, and their maximum depth. */
const mostLayers = 1_000;
const deepest = 12;
const mostCrs = 100;
const mostStyles = 50;
const crsForm = /^(EPSG:\d{4,6}|CRS:84)$/;

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  removeNSPrefix: true,
  parseTagValue: false,
  parseAttributeValue: false,
  maxNestedTags: 60,
  htmlEntities: true, // numbered signs, e.g. &#39;
  // The few that XML itself defines; a document type adds none.
  processEntities: { enabled: true, maxEntityCount: 1, maxTotalExpansions: 100_000, maxExpandedLength: 200_000 },
});

/** What a Web Map Service offers, from its answer to GetCapabilities (1.1.1 or 1.3.0); null for any other answer. */
export function readCapabilities(xml: string): WmsOffer | null {
  const root = rootOf(xml);
  if (root === null) return null;
  const capability = child(root, 'Capability');
  const found: Offered[] = [];
  for (const layer of children(capability, 'Layer')) {
    collect(layer, { above: { crs: [], styles: [], is_queryable: false }, found, depth: 0 });
  }
  const formats = children(child(child(capability, 'Request'), 'GetMap'), 'Format').map(textOf);
  return {
    title: cut(textOf(child(root, 'Service')['Title'])),
    version: String(root['@version']).startsWith('1.3') ? '1.3.0' : '1.1.1',
    formats: wmsFormats.options.filter((format) => formats.includes(format)),
    layers: found,
  };
}

function rootOf(xml: string): Element | null {
  if (XMLValidator.validate(xml) !== true) return null;
  try {
    const document = elementOf(parser.parse(xml));
    const root = document['WMS_Capabilities'] ?? document['WMT_MS_Capabilities'];
    return root === undefined ? null : elementOf(root);
  } catch {
    return null; // nested without end
  }
}

function collect(layer: Element, { above, found, depth }: { above: Inherited; found: Offered[]; depth: number }): void {
  const own = inherit(above, layer);
  const name = textOf(layer['Name']);
  if (name !== '' && name.length <= 1_000 && found.length < mostLayers) {
    found.push({ name, title: cut(textOf(layer['Title'])) || cut(name), ...own });
  }
  if (depth === deepest) return;
  for (const inner of children(layer, 'Layer')) collect(inner, { above: own, found, depth: depth + 1 });
}

function inherit(above: Inherited, layer: Element): Inherited {
  // 1.1.0 and older write several systems into one element.
  const systems = [...children(layer, 'CRS'), ...children(layer, 'SRS')].flatMap((one) => textOf(one).split(/\s+/));
  const styles = children(layer, 'Style').map((style) => {
    const name = textOf(style['Name']);
    return { name, title: cut(textOf(style['Title'])) || cut(name) };
  });
  const queryable = layer['@queryable'];
  return {
    crs: [...new Set([...above.crs, ...systems])].filter((crs) => crsForm.test(crs)).slice(0, mostCrs),
    styles: [...above.styles, ...styles].filter(({ name }) => name !== '' && name.length <= 200).slice(0, mostStyles),
    is_queryable: queryable === undefined ? above.is_queryable : queryable === '1' || queryable === 'true',
  };
}

function elementOf(value: unknown): Element {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Element) : {}; // of the parser
}

const child = (element: Element, name: string): Element => elementOf(element[name]);

function children(element: Element, name: string): Element[] {
  const value = element[name];
  const list: unknown[] = value === undefined ? [] : Array.isArray(value) ? value : [value];
  return list.map((one) => (typeof one === 'string' ? { '#text': one } : elementOf(one)));
}

function textOf(value: unknown): string {
  const text = typeof value === 'string' ? value : elementOf(value)['#text'];
  return typeof text === 'string' ? text.trim() : '';
}

const cut = (text: string): string => text.slice(0, 200);
