import 'reflect-metadata';
import { randomBytes } from 'node:crypto';
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  type X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509';
import type { LeafName } from './leaf-name.ts';
import { encodeConstraints, type PermittedNames } from './name-constraints.ts';

const dayMs = 86_400_000;
/** Browsers refuse a leaf that is valid for longer (398 days since 2020). */
const leafLifeMs = 397 * dayMs;
const authorityLifeMs = 25 * 365 * dayMs;
/** Before any correct clock, so that a device whose clock is slow still trusts the authority. */
const authorityStart = Date.UTC(2025, 0, 1);
const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

/** Web Crypto's private key; Node and the browser's library name its type differently. */
type SigningKey = Awaited<ReturnType<typeof makeKeys>>['privateKey'];

/** A certificate with its private key, as stored. */
export interface Issued {
  certificate: X509Certificate;
  key: SigningKey;
}

/** Makes a P-256 authority that can vouch only for the permitted names, and for no other authority. */
export async function issueAuthority(permitted: PermittedNames, subject: { name: string; now: Date }): Promise<Issued> {
  const keys = await makeKeys();
  const start = Math.min(authorityStart, subject.now.getTime());
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: serialNumber(),
    name: [{ CN: [subject.name] }],
    notBefore: new Date(start),
    notAfter: new Date(Math.max(authorityStart, subject.now.getTime()) + authorityLifeMs),
    signingAlgorithm: algorithm,
    keys,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      encodeConstraints(permitted),
    ],
  });
  return { certificate, key: keys.privateKey };
}

/**
 * Makes a server certificate of at most 397 days that holds exactly these names, all of which the authority permits.
 */
export async function issueLeaf(authority: Issued, names: readonly LeafName[], now: Date): Promise<Issued> {
  const keys = await makeKeys();
  // A day earlier, for devices whose clock is slow.
  const start = now.getTime() - dayMs;
  const certificate = await X509CertificateGenerator.create({
    serialNumber: serialNumber(),
    subject: [{ CN: ['Orangery'] }],
    issuer: authority.certificate.subjectName,
    notBefore: new Date(start),
    notAfter: new Date(Math.min(start + leafLifeMs, authority.certificate.notAfter.getTime())),
    signingAlgorithm: algorithm,
    publicKey: keys.publicKey,
    signingKey: authority.key,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([...names]),
      await AuthorityKeyIdentifierExtension.create(authority.certificate),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificate, key: keys.privateKey };
}

/** Reads an ECDSA P-256 private key in PKCS #8 PEM. */
export async function importKey(pem: string): Promise<SigningKey> {
  return crypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(pem), algorithm, true, ['sign']);
}

/** Writes a private key as PKCS #8 PEM. */
export async function exportKey(key: SigningKey): Promise<string> {
  return PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY');
}

async function makeKeys() {
  return crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
}

/** 16 random bytes, positive (RFC 5280, 4.1.2.2). */
function serialNumber(): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(0) & 0x7f) | 0x40, 0);
  return bytes.toString('hex');
}
