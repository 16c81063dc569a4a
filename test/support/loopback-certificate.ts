import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCertificates } from '../../server/tls/certificates.ts';

/** A certificate for localhost and 127.0.0.1, and the authority that vouches for it, PEM. */
export async function loopbackCertificate(): Promise<{ key: string; cert: string; ca: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'orangery-loopback-'));
  const options = { hostName: 'peer', addresses: () => ['127.0.0.1'], extraNames: [], now: () => new Date() };
  const { key, cert, ca_pem } = await openCertificates({ ...options, directory: join(folder, 'tls') });
  rmSync(folder, { recursive: true, force: true });
  return { key, cert, ca: ca_pem };
}
