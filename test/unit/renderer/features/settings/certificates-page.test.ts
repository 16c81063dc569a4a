// @vitest-environment happy-dom
import { flushPromises } from '@vue/test-utils';
import { encode } from 'uqr';
import { afterEach, expect, it, vi } from 'vitest';
import CertificatesPage from '../../../../../renderer/features/settings/CertificatesPage.vue';
import { mounted } from '../../ui/mounted.ts';
import { eventually } from '../../../../support/eventually.ts';

afterEach(() => vi.unstubAllGlobals());

const answers: typeof fetch = () =>
  Promise.resolve(Response.json({ addresses: ['192.168.0.20'] }, { headers: { date: new Date().toUTCString() } }));

it('draws a code for the certificate and for the pages at the address of the network', async () => {
  vi.stubGlobal('fetch', () =>
    Promise.resolve(new Response('-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n')),
  );
  vi.stubGlobal('location', new URL('https://localhost:8443/settings/certificates'));
  const page = mounted(CertificatesPage, { fetch: answers });
  await flushPromises();
  await eventually(() => expect(page.findAll('svg.qr')).toHaveLength(2));
  const addresses = ['https://192.168.0.20:8443/ca.crt', 'https://192.168.0.20:8443'];
  for (const [at, address] of addresses.entries()) {
    const code = page.findAll('svg.qr')[at];
    expect(code?.attributes('aria-label')).toContain(address);
    // As many dark modules as the code of this address has.
    const dark = encode(address, { ecc: 'M', border: 4 }).data.flat().filter(Boolean).length;
    expect(code?.get('path').attributes('d')?.match(/M/g)).toHaveLength(dark);
  }
});
