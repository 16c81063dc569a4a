import 'reflect-metadata';
import { X509Certificate as NodeCertificate, createPrivateKey } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { X509Certificate } from '@peculiar/x509';
import { exportKey, importKey, type Issued, issueAuthority, issueLeaf } from './issue.ts';
import { type LeafName, type NameSources, wantedNames } from './leaf-name.ts';
import { constraintsOf, permits, permittedNames } from './name-constraints.ts';

const renewBeforeMs = 30 * 86_400_000;

export interface CertificateOptions {
  /** The data directory's `tls` folder. */
  directory: string;
  hostName: string;
  /** Addresses of the interfaces that are up, read at each check. */
  addresses: () => readonly string[];
  /** Names and addresses that the operator adds. */
  extraNames: readonly string[];
  now: () => Date;
}

export interface Certificates {
  /** The authority, for devices to trust. */
  ca_pem: string;
  /** Of the authority: 32 bytes in upper-case hexadecimal, separated by colons. */
  fingerprint_sha256: string;
  /** The leaf's private key and its chain, in PEM. */
  key: string;
  cert: string;
  names: string[];
  /** Names of this machine that the authority may not vouch for: they would need a new one. */
  names_outside: string[];
  not_after: Date;
}

/** The certificates in `tls/` cannot be used as they are; the message says what to do. */
class CertificateError extends Error {
  readonly code = 'certificate_unusable';
}

/**
 * Reads the authority and the leaf; makes what is missing. The leaf is replaced when it lacks a name of this machine or
 * ends within 30 days; one `inUse` that the disk refused counts as stored. Throws CertificateError when the authority
 * exists without its key.
 */
export async function openCertificates(options: CertificateOptions, inUse?: Certificates): Promise<Certificates> {
  mkdirSync(options.directory, { recursive: true });
  const sources: NameSources = { ...options, addresses: options.addresses() };
  const wanted = wantedNames(sources);
  const authority = (await readAuthority(options.directory)) ?? (await makeAuthority(options, wanted));
  const permitted = constraintsOf(authority.certificate);
  const names = wanted.filter((name) => permits(permitted, name));
  const needs = { authority, names, now: options.now() };
  const leaf =
    readLeaf(options.directory, needs) ??
    (inUse === undefined ? null : usable(inUse, needs)) ??
    (await makeLeaf(options.directory, await issueLeaf(authority, names, options.now())));
  const ca_pem = pem(authority.certificate);
  return {
    ca_pem,
    fingerprint_sha256: new NodeCertificate(ca_pem).fingerprint256,
    ...leaf,
    names: names.map((name) => name.value),
    names_outside: wanted.filter((name) => !permits(permitted, name)).map((name) => name.value),
  };
}

interface StoredLeaf {
  key: string;
  cert: string;
  not_after: Date;
}

async function readAuthority(directory: string): Promise<Issued | null> {
  const certificatePath = join(directory, 'ca.crt');
  const keyPath = join(directory, 'ca.key');
  // A crash during the first start leaves a key alone: nothing trusts it yet.
  if (!existsSync(certificatePath)) return null;
  try {
    const certificatePem = readFileSync(certificatePath, 'utf8');
    const keyPem = readFileSync(keyPath, 'utf8');
    if (!new NodeCertificate(certificatePem).checkPrivateKey(createPrivateKey(keyPem))) throw new Error('they differ');
    return { certificate: new X509Certificate(certificatePem), key: await importKey(keyPem) };
  } catch (cause) {
    throw new CertificateError(
      `${keyPath} and ${certificatePath} do not belong together or cannot be read: put both back, or move ` +
        `${directory} away to make a new authority, which every device must then trust anew`,
      { cause },
    );
  }
}

async function makeAuthority(options: CertificateOptions, wanted: readonly LeafName[]): Promise<Issued> {
  const subject = { name: `Orangery on ${options.hostName}`.slice(0, 64), now: options.now() };
  const made = await issueAuthority(permittedNames(wanted), subject);
  store(join(options.directory, 'ca.key'), await exportKey(made.key), 0o600);
  store(join(options.directory, 'ca.crt'), pem(made.certificate), 0o644);
  return made;
}

interface LeafNeeds {
  authority: Issued;
  names: readonly LeafName[];
  now: Date;
}

/** The stored leaf, or null when it is missing, damaged, ends soon, or does not cover the present names. */
function readLeaf(directory: string, needs: LeafNeeds): StoredLeaf | null {
  try {
    const key = readFileSync(join(directory, 'leaf.key'), 'utf8');
    const cert = readFileSync(join(directory, 'leaf.crt'), 'utf8');
    return usable({ key, cert }, needs);
  } catch {
    return null;
  }
}

function usable({ key, cert }: Pick<StoredLeaf, 'key' | 'cert'>, needs: LeafNeeds): StoredLeaf | null {
  const leaf = new NodeCertificate(cert);
  const not_after = leaf.validToDate;
  const isUsable =
    leaf.verify(new NodeCertificate(pem(needs.authority.certificate)).publicKey) &&
    leaf.checkPrivateKey(createPrivateKey(key)) &&
    leaf.validFromDate <= needs.now &&
    not_after.getTime() - needs.now.getTime() > renewBeforeMs &&
    needs.names.every((name) => holds(leaf, name));
  return isUsable ? { key, cert, not_after } : null;
}

function holds(leaf: NodeCertificate, name: LeafName): boolean {
  const found = name.type === 'ip' ? leaf.checkIP(name.value) : leaf.checkHost(name.value, { subject: 'never' });
  return found !== undefined;
}

async function makeLeaf(directory: string, made: Issued): Promise<StoredLeaf> {
  const key = await exportKey(made.key);
  const cert = pem(made.certificate);
  try {
    store(join(directory, 'leaf.key'), key, 0o600);
    store(join(directory, 'leaf.crt'), cert, 0o644);
  } catch (error) {
    if (!(error instanceof Error && 'syscall' in error)) throw error; // on a disk that takes nothing it lives as long as this process
  }
  return { key, cert, not_after: made.certificate.notAfter };
}

function pem(certificate: X509Certificate): string {
  return `${certificate.toString('pem')}\n`;
}

/** Writes whole or not at all: a crash leaves the old file. */
function store(path: string, text: string, mode: number): void {
  const temporary = `${path}.new`;
  const file = openSync(temporary, 'w', mode);
  try {
    writeFileSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}
