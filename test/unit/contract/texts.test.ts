import { describe, expect, it } from 'vitest';
import { certificatePem } from '../../../server/contract/certificate-pem.ts';
import { hostName } from '../../../server/contract/host-name.ts';

const certificate = '-----BEGIN CERTIFICATE-----\r\nMIIB+/8=\r\nAA==\r\n-----END CERTIFICATE-----\r\n';

describe('a host name', () => {
  it.each([
    'broker',
    'a',
    '_gw',
    'broker-1.farm.local',
    '192.168.1.20',
    '::1',
    '::',
    'fe80::1%eth0',
    '::ffff:10.0.0.1',
    ' trimmed ',
  ])('is %j', (text) => {
    expect(hostName.safeParse(text).success).toBe(true);
  });

  it.each(['', ' ', '-broker', 'broker-', 'a b', 'a:80/x', '10.0.0.1:80', 'fe80::1%', '%eth0', 'a'.repeat(254)])(
    'is not %j',
    (text) => {
      expect(hostName.safeParse(text).success).toBe(false);
    },
  );
});

describe('certificates in PEM form', () => {
  it.each([
    ['one', certificate],
    ['several', certificate + certificate],
    ['with words around them', `subject=CN = farm\n${certificate}issuer=CN = farm\n${certificate}`],
  ])('are %s', (_name, text) => {
    expect(certificatePem.safeParse(text).success).toBe(true);
  });

  it.each([
    ['a key', certificate.replaceAll('CERTIFICATE', 'PRIVATE KEY')],
    ['one with its key', certificate + certificate.replaceAll('CERTIFICATE', 'EC PRIVATE KEY')],
    ['one without its end', certificate.slice(0, 60)],
    ['one that holds nothing', '-----BEGIN CERTIFICATE----------END CERTIFICATE-----'],
    ['more than 20,000 characters', certificate + 'A'.repeat(20_000)],
  ])('are not %s', (_name, text) => {
    expect(certificatePem.safeParse(text).success).toBe(false);
  });
});
