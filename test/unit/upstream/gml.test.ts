import { describe, expect, it } from 'vitest';
import { readGmlFeatures } from '../../../server/upstream/gml.ts';

const urn = 'urn:ogc:def:crs:EPSG::4326';
const square = '37 127 37 128 38 128 38 127 37 127';
const eastFirst = '127 37 128 37 128 38 127 38 127 37';
const ring = [[127, 37], [128, 37], [128, 38], [127, 38], [127, 37]]; // prettier-ignore

const polygon = (list: string, crs: string, inner = '') =>
  `<g:Polygon srsName="${crs}"><g:exterior><g:LinearRing>${list}</g:LinearRing></g:exterior>${inner}</g:Polygon>`;
const positions = (text: string, dimension = '') => `<g:posList${dimension}>${text}</g:posList>`;
const answer = (geometry: string, fields = '<a:name>North</a:name>') =>
  `<w:FeatureCollection xmlns:w="http://www.opengis.net/wfs/2.0" xmlns:g="http://www.opengis.net/gml/3.2" xmlns:a="urn:a"><w:member><a:parcel><a:shape>${geometry}</a:shape>${fields}</a:parcel></w:member></w:FeatureCollection>`;

describe('features of a Web Feature Service', () => {
  it.each([
    [urn, square],
    ['http://www.opengis.net/def/crs/EPSG/0/4326', square],
    ['urn:ogc:def:crs:EPSG:6.9:4258', square],
    ['EPSG:4326', eastFirst],
    ['http://www.opengis.net/gml/srs/epsg.xml#4326', eastFirst],
    ['urn:ogc:def:crs:OGC:1.3:CRS84', eastFirst],
  ])('have their axes as %s writes them', (crs, list) => {
    const [feature] = readGmlFeatures(answer(polygon(positions(list), crs))) ?? [];
    expect(feature?.polygons).toEqual([[ring]]);
    expect(feature?.values.get('name')).toBe('North');
  });

  it('may have heights, which are left out, and their system above', () => {
    const high = '37 127 9 37 128 9 38 128 9 38 127 9 37 127 9';
    const inner = polygon(positions(high, ' srsDimension="3"'), '').replace(' srsName=""', '');
    const surface = `<g:MultiSurface srsName="${urn}"><g:surfaceMember>${inner}</g:surfaceMember></g:MultiSurface>`;
    expect(readGmlFeatures(answer(surface))?.[0]?.polygons).toEqual([[ring]]);
  });

  it('are none in an empty answer', () => {
    const empty = '<w:FeatureCollection xmlns:w="http://www.opengis.net/wfs/2.0" numberReturned="0"/>';
    expect(readGmlFeatures(empty)).toEqual([]);
  });

  it.each([
    ['no XML', 'hello'],
    ['a page', '<html><body>Log in</body></html>'],
    ['a refusal', '<ExceptionReport><Exception exceptionCode="InvalidParameterValue"/></ExceptionReport>'],
    ['half an answer', answer(polygon(positions(square), urn)).slice(0, 300)],
    ['a document type', `<!DOCTYPE a [<!ENTITY x "y">]>${answer('')}`],
  ])('are not taken from %s', (_, xml) => {
    expect(readGmlFeatures(xml)).toBeNull();
  });

  it.each([
    ['another system', answer(polygon(positions(square), 'urn:ogc:def:crs:EPSG::5186'))],
    ['no system', answer(polygon(positions(square), ''))],
    ['half a position', answer(polygon(positions('37 127 38'), urn))],
    ['words', answer(polygon(positions('37 north'), urn))],
    ['curves', answer(`<g:Polygon srsName="${urn}"><g:exterior><g:Ring/></g:exterior></g:Polygon>`)],
  ])('have no outline with %s, and spoil no other', (_, xml) => {
    const other = answer(polygon(positions(square), urn));
    const both = xml.replace('</w:FeatureCollection>', /<w:member>.*<\/w:member>/.exec(other)?.[0] + '$&');
    expect(readGmlFeatures(both)?.map(({ polygons }) => polygons)).toEqual([null, [[ring]]]);
  });
});
