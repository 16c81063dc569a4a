import { describe, expect, it } from 'vitest';
import { readCapabilities } from '../../../server/upstream/wms-capabilities.ts';

const new130 = `<?xml version="1.0" encoding="UTF-8"?>
<WMS_Capabilities version="1.3.0" xmlns="http://www.opengis.net/wms">
  <Service><Name>WMS</Name><Title>Land &amp; water</Title></Service>
  <Capability>
    <Request><GetMap><Format>image/png</Format><Format>image/tiff</Format><Format>image/jpeg</Format></GetMap></Request>
    <Layer>
      <Title>All</Title><CRS>EPSG:4326</CRS><CRS>EPSG:5186</CRS><CRS>urn:strange</CRS>
      <Style><Name>default</Name><Title>Plain</Title></Style>
      <Layer queryable="1">
        <Name>parcels</Name><Title>지적도 地籍図</Title><CRS>EPSG:3857</CRS>
        <Style><Name>red</Name></Style>
        <Layer><Name>borders</Name></Layer>
      </Layer>
    </Layer>
  </Capability>
</WMS_Capabilities>`;

const old111 = `<?xml version='1.0' encoding="UTF-8" standalone="no" ?>
<!DOCTYPE WMT_MS_Capabilities SYSTEM "http://schemas.opengis.net/wms/1.1.1/WMS_MS_Capabilities.dtd" [ <!ELEMENT VendorSpecificCapabilities EMPTY> ]>
<WMT_MS_Capabilities version="1.1.1"><Service><Title>Old</Title></Service><Capability>
<Request><GetMap><Format>image/gif</Format></GetMap></Request>
<Layer><Name>soil</Name><Title>Soil</Title><SRS>EPSG:4326 EPSG:3857</SRS></Layer></Capability></WMT_MS_Capabilities>`;

describe('the capabilities of a Web Map Service', () => {
  it('list its layers with what each has from those above it', () => {
    const offered = readCapabilities(new130);
    expect(offered).toMatchObject({ title: 'Land & water', version: '1.3.0', formats: ['image/png', 'image/jpeg'] });
    const styles = [
      { name: 'default', title: 'Plain' },
      { name: 'red', title: 'red' },
    ];
    const shared = { crs: ['EPSG:4326', 'EPSG:5186', 'EPSG:3857'], styles, is_queryable: true };
    expect(offered?.layers).toEqual([
      { name: 'parcels', title: '지적도 地籍図', ...shared },
      { name: 'borders', title: 'borders', ...shared },
    ]);
  });

  it('of the older version have their document type and several systems in one element', () => {
    const layers = [{ name: 'soil', title: 'Soil', crs: ['EPSG:4326', 'EPSG:3857'], styles: [], is_queryable: false }];
    expect(readCapabilities(old111)).toEqual({ title: 'Old', version: '1.1.1', formats: ['image/gif'], layers });
  });

  it.each([
    ['a page', '<html><body>Log in</body></html>'],
    ['half of it', new130.slice(0, 400)],
    ['no XML', '{"layers":[]}'],
    ['nothing', ''],
    ['an error', '<ServiceExceptionReport><ServiceException>no</ServiceException></ServiceExceptionReport>'],
  ])('are none of %s', (_, xml) => {
    expect(readCapabilities(xml)).toBeNull();
  });

  it('are not blown up by entities of their own, layers in layers or a great many of them', () => {
    const laughs = Array.from({ length: 12 }, (_, at) => `<!ENTITY a${at + 1} "&a${at};&a${at};&a${at};&a${at};">`);
    const bomb = `<!DOCTYPE WMS_Capabilities [<!ENTITY a0 "ha">${laughs.join('')}]>
      <WMS_Capabilities version="1.3.0"><Service><Title>&a12;</Title></Service></WMS_Capabilities>`;
    expect(readCapabilities(bomb)?.title).toBe('&a12;');
    const nest = (inner: string) =>
      `<WMS_Capabilities version="1.3.0"><Capability>${inner}</Capability></WMS_Capabilities>`;
    const deep = nest(`${'<Layer><Name>a</Name>'.repeat(5_000)}${'</Layer>'.repeat(5_000)}`);
    expect(readCapabilities(deep)).toBeNull();
    const many = nest('<Layer><Name>a</Name></Layer>'.repeat(20_000));
    expect(readCapabilities(many)?.layers).toHaveLength(1_000);
  });
});
