import { z } from 'zod';

/**
 * One or more certificates as text (RFC 7468); readers skip the text around them. Not the private key, which servers
 * often keep in the same file: a certificate is shown to everyone who may read the settings.
 */
export const certificatePem = z
  .string()
  .max(20_000, { abort: true })
  .regex(/-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/, 'must be certificates in PEM form')
  .regex(/^(?![\s\S]*PRIVATE KEY-----)/, 'must not hold the private key')
  .meta({ examples: ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'] });
