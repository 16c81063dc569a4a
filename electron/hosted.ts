import { createHash, X509Certificate } from 'node:crypto';
import type { Service } from '../server/service.ts';
import type { Host } from './host.ts';

/** SHA-256 of a certificate in DER, hex. */
function fingerprint(pem: string): string {
  return createHash('sha256').update(new X509Certificate(pem).raw).digest('hex');
}

/** The service of this process: trusted by the very leaf that it serves, so no authority has to be installed. */
export function hostOf(service: Service): Host {
  return {
    kind: 'hosted',
    url: service.url,
    trusts: (certificate) => fingerprint(certificate) === fingerprint(service.leafCertificate()),
    setupToken: () => service.setupToken(),
    watchAlarms: (listener) => service.watchAlarms(listener),
    stop: () => service.stop(),
  };
}
