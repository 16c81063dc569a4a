import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import { X509CertificateGenerator } from '@peculiar/x509';
import { describe, expect, it } from 'vitest';
import { fingerprintOf, isLoopbackName } from '../../../../../renderer/features/settings/ca-fingerprint.ts';

async function somePem(): Promise<string> {
  const signingAlgorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(signingAlgorithm, true, ['sign', 'verify']);
  const made = await X509CertificateGenerator.createSelfSigned({ name: 'CN=Greenhouse', keys, signingAlgorithm });
  return made.toString('pem');
}

describe('the fingerprint of a certificate', () => {
  it('is the one that other programs print', async () => {
    const pem = await somePem();
    expect(await fingerprintOf(pem)).toBe(new X509Certificate(pem).fingerprint256);
  });

  it('is refused for a text that holds none', async () => {
    await expect(fingerprintOf('<html></html>')).rejects.toThrow('no certificate');
  });
});

it.each([
  ['localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['192.168.1.20', false],
  ['greenhouse.local', false],
])('%s is a name of this machine alone: %s', (name, is) => {
  expect(isLoopbackName(name)).toBe(is);
});
