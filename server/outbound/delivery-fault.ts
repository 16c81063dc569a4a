import type { DeliveryFault } from '../contract/notification-target.ts';

/**
 * By the codes of the system, of TLS (OpenSSL), of nodemailer and of our own errors; MQTT has numbers (3.1.1, table
 * 3.1).
 */
const faults: Record<DeliveryFault, readonly (string | number)[]> = {
  unreachable: ['unreachable', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ECONNECTION', 'EDNS', 3],
  refused_address: ['refused_address', 'invalid_address'],
  timed_out: ['timed_out', 'ETIMEDOUT'],
  interrupted: ['interrupted', 'ECONNRESET', 'EPIPE', 'ESOCKET'],
  not_trusted: [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'SELF_SIGNED_CERT_IN_CHAIN',
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'UNABLE_TO_GET_ISSUER_CERT',
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'CERT_HAS_EXPIRED',
    'CERT_NOT_YET_VALID',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ],
  not_encrypted: ['ETLS'],
  login_refused: ['EAUTH', 'ENOAUTH', 'EOAUTH2', 4, 5],
  recipient_refused: ['EENVELOPE'],
  refused: ['refused', 'EMESSAGE', 'EPROTOCOL', 1, 2],
};
const faultOfCode = new Map(
  Object.entries(faults).flatMap(([fault, codes]) => codes.map((code) => [code, fault as DeliveryFault] as const)),
);

/**
 * Why a message was not delivered, by the code of the error's first cause that has one; null when only its message
 * says.
 */
export function deliveryFaultOf(error: unknown): DeliveryFault | null {
  if (!(error instanceof Error)) return null;
  const { code, cause } = error as Error & { code?: string | number };
  return deliveryFaultOf(cause) ?? faultOfCode.get(code ?? '') ?? null;
}
