import { z } from 'zod';

/** A host name, an IPv4 address, or an IPv6 address with or without its zone. */
export const hostName = z
  .string()
  .trim()
  .min(1)
  .max(253, { abort: true })
  .regex(
    /^([A-Za-z0-9_]([A-Za-z0-9._-]*[A-Za-z0-9])?|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*(%[A-Za-z0-9]+)?)$/,
    'is no host name or address',
  );
