import 'reflect-metadata';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';
import { openCertificates } from '../../server/tls/certificates.ts';

/** A certificate for localhost and 127.0.0.1, and the authority that issued it, PEM. */
export async function loopbackCertificate(): Promise<{ key: string; cert: string; ca: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'orangery-loopback-'));
  const options = { hostName: 'peer', addresses: () => ['127.0.0.1'], extraNames: [], now: () => new Date() };
  const { key, cert, ca_pem } = await openCertificates({ ...options, directory: join(folder, 'tls') });
  rmSync(folder, { recursive: true, force: true });
  return { key, cert, ca: ca_pem };
}

/** A self-signed certificate of a device, valid for an hour; like many of these, it may name no address. */
export async function selfSignedCertificate(addresses: readonly string[] = []): Promise<{ key: string; cert: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const named = addresses.map((value) => ({ type: 'ip' as const, value }));
  const made = await X509CertificateGenerator.createSelfSigned({
    serialNumber: '01',
    name: 'CN=greenhouse',
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
    signingAlgorithm: algorithm,
    keys,
    extensions: named.length === 0 ? [] : [new SubjectAlternativeNameExtension(named)],
  });
  const key = Buffer.from(await crypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
  return { cert: made.toString('pem'), key: `-----BEGIN PRIVATE KEY-----\n${key}\n-----END PRIVATE KEY-----\n` };
}
