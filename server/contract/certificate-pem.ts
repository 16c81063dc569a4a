import { z } from 'zod';
import { certificatePattern } from './certificate-pattern.ts';

/**
 * One or more certificates as text (RFC 7468); readers skip the text around them. Not the private key, which servers
 * often keep in the same file: a certificate is shown to everyone who may read the settings.
 */
export const certificatePem = z
  .string()
  .max(20_000, { abort: true })
  .regex(certificatePattern, 'must be certificates in PEM form')
  .regex(/^(?![\s\S]*PRIVATE KEY-----)/, 'must not hold the private key')
  .meta({ examples: ['-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----'] });
