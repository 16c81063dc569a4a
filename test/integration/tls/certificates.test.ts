import { X509Certificate } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer, type TLSSocket } from 'node:tls';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CertificateOptions, type Certificates, openCertificates } from '../../../server/tls/certificates.ts';
import { exportKey, issueAuthority, issueLeaf } from '../../../server/tls/issue.ts';
import { permittedNames } from '../../../server/tls/name-constraints.ts';
import { CertificateKeeper } from '../../../server/tls/certificate-keeper.ts';

const dayMs = 86_400_000;
let directory: string;
let now: Date;
let addresses: string[];

beforeEach(() => {
  directory = join(mkdtempSync(join(tmpdir(), 'orangery-tls-')), 'tls');
  now = new Date();
  addresses = ['192.168.1.7', 'fe80::1'];
});

afterEach(() => {
  rmSync(join(directory, '..'), { recursive: true, force: true });
});

function options(extra: Partial<CertificateOptions> = {}): CertificateOptions {
  return { directory, hostName: 'pi', addresses: () => addresses, extraNames: [], now: () => now, ...extra };
}

/** Opens a real TLS connection and lets Node judge the chain, the constraints and the name. */
async function judge(certificates: Certificates, servername: string): Promise<string> {
  const server = createServer({ key: certificates.key, cert: certificates.cert }, (socket) => socket.end());
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const verdict = await new Promise<string>((resolve) => {
    const socket: TLSSocket = connect({ port, host: '127.0.0.1', ca: certificates.ca_pem, servername }, () => {
      resolve('trusted');
      socket.destroy();
    });
    socket.on('error', (error: Error) => resolve(error.message));
  });
  await new Promise((resolve) => server.close(resolve));
  return verdict;
}

describe('openCertificates', () => {
  it('makes a constrained P-256 authority and a leaf that a client trusts by each of its names', async () => {
    const made = await openCertificates(options());
    const authority = new X509Certificate(made.ca_pem);
    expect(authority.ca).toBe(true);
    expect(authority.publicKey.asymmetricKeyDetails?.namedCurve).toBe('prime256v1');
    expect(authority.fingerprint256).toBe(made.fingerprint_sha256);
    expect(made.names).toEqual(['localhost', 'pi', 'pi.local', '127.0.0.1', '::1', '192.168.1.7', 'fe80::1']);
    for (const name of ['localhost', 'pi', 'pi.local']) expect(await judge(made, name)).toBe('trusted');
    expect(await judge(made, 'example.com')).toMatch(/altnames/);
    const leaf = new X509Certificate(made.cert);
    for (const ip of ['127.0.0.1', '::1', '192.168.1.7', 'fe80::1']) expect(leaf.checkIP(ip)).toBe(ip);
    expect(leaf.validToDate.getTime() - leaf.validFromDate.getTime()).toBeLessThanOrEqual(397 * dayMs);
    expect(leaf.validFromDate.getTime()).toBeLessThan(now.getTime());
  });

  it('keeps the keys from other users and leaves no half-written file', async () => {
    await openCertificates(options());
    expect(readdirSync(directory).sort()).toEqual(['ca.crt', 'ca.key', 'leaf.crt', 'leaf.key']);
    for (const name of ['ca.key', 'leaf.key']) expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  });

  it('opens what it made before', async () => {
    const first = await openCertificates(options());
    expect(await openCertificates(options())).toEqual(first);
  });

  it('holds a public address and an extra name of the first start', async () => {
    addresses = ['203.0.113.9', '2001:db8::9'];
    const made = await openCertificates(options({ hostName: 'pi.farm.example', extraNames: ['house.example.com'] }));
    expect(made.names_outside).toEqual([]);
    expect(made.names).toContain('203.0.113.9');
    expect(await judge(made, 'house.example.com')).toBe('trusted');
    expect(await judge(made, 'pi.farm.example')).toBe('trusted');
  });

  it('leaves a name outside the constraints out of the leaf, which stays valid, and tells it', async () => {
    await openCertificates(options());
    addresses = ['203.0.113.9', '10.9.9.9'];
    const later = await openCertificates(options({ extraNames: ['house.example.com'] }));
    expect(later.names_outside).toEqual(['203.0.113.9', 'house.example.com']);
    expect(later.names).toContain('10.9.9.9');
    expect(await judge(later, 'localhost')).toBe('trusted');
  });

  it('cannot be used to pose as somebody else: a leaf with one name outside is refused for all', async () => {
    const permitted = permittedNames([]);
    const authority = await issueAuthority(permitted, { name: 'Test', now });
    const names = [
      { type: 'dns', value: 'localhost' },
      { type: 'dns', value: 'bank.example' },
    ] as const;
    const leaf = await issueLeaf(authority, names, now);
    const forged: Certificates = {
      ...(await openCertificates(options())),
      ca_pem: authority.certificate.toString('pem'),
      key: await exportKey(leaf.key),
      cert: leaf.certificate.toString('pem'),
    };
    expect(await judge(forged, 'bank.example')).toBe('permitted subtree violation');
    expect(await judge(forged, 'localhost')).toBe('permitted subtree violation');
  });

  it('renews the leaf 30 days before its end, with the same authority', async () => {
    const first = await openCertificates(options());
    now = new Date(first.not_after.getTime() - 30 * dayMs - 60_000);
    expect((await openCertificates(options())).cert).toBe(first.cert);
    now = new Date(first.not_after.getTime() - 30 * dayMs + 1000);
    const renewed = await openCertificates(options());
    expect(renewed.cert).not.toBe(first.cert);
    expect(renewed.ca_pem).toBe(first.ca_pem);
  });

  it('renews a leaf from a time to come, as a machine without a clock makes at its first start', async () => {
    const right = now;
    now = new Date(0);
    const early = await openCertificates(options());
    now = right;
    const renewed = await openCertificates(options());
    expect(renewed.ca_pem).toBe(early.ca_pem);
    expect(await judge(renewed, 'localhost')).toBe('trusted');
  });

  it('replaces a damaged leaf, and a lone key of a first start that broke off', async () => {
    const first = await openCertificates(options());
    writeFileSync(join(directory, 'leaf.crt'), 'half a certifi');
    expect((await openCertificates(options())).ca_pem).toBe(first.ca_pem);
    rmSync(join(directory, 'ca.crt'));
    const anew = await openCertificates(options());
    expect(anew.ca_pem).not.toBe(first.ca_pem);
    expect(await judge(anew, 'localhost')).toBe('trusted');
  });

  it('refuses an authority without its key or with another, rather than losing the trust of every device', async () => {
    await openCertificates(options());
    const other = await openCertificates(options({ directory: join(directory, 'other') }));
    const published = readFileSync(join(directory, 'ca.crt'), 'utf8');
    expect(published).not.toBe(other.ca_pem);
    writeFileSync(join(directory, 'ca.key'), readFileSync(join(directory, 'other', 'ca.key')));
    await expect(openCertificates(options())).rejects.toMatchObject({ code: 'certificate_unusable' });
    rmSync(join(directory, 'ca.key'));
    await expect(openCertificates(options())).rejects.toMatchObject({ code: 'certificate_unusable' });
    expect(readFileSync(join(directory, 'ca.crt'), 'utf8')).toBe(published);
  });
});

describe('CertificateKeeper', () => {
  it('issues a leaf for an address that appears, and not for one that goes', async () => {
    const renewed: Certificates[] = [];
    const keeper = new CertificateKeeper({
      ...options(),
      onError: (error) => expect.fail(String(error)),
    });
    keeper.subscribe((certificates) => renewed.push(certificates));
    const first = await keeper.start();
    await keeper.check();
    addresses = ['fe80::1'];
    await keeper.check();
    expect(renewed).toEqual([]);
    addresses = ['192.168.1.8'];
    await keeper.check();
    expect(renewed).toHaveLength(1);
    expect(renewed[0]?.names).toContain('192.168.1.8');
    expect(keeper.current.cert).not.toBe(first.cert);
    await keeper.stop();
  });

  it('keeps serving the present leaf when a check fails', async () => {
    const errors: unknown[] = [];
    const keeper = new CertificateKeeper({ ...options(), onError: (error) => errors.push(error) });
    keeper.subscribe(() => expect.fail('nothing was renewed'));
    const first = await keeper.start();
    rmSync(join(directory, 'ca.key'));
    await keeper.check();
    expect(errors).toHaveLength(1);
    expect(keeper.current.cert).toBe(first.cert);
    await keeper.stop();
  });
});
