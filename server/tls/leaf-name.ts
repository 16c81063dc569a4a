import { isIP } from 'node:net';

/** A name that a certificate can hold: a DNS name, or an IP address as text. */
export interface LeafName {
  type: 'dns' | 'ip';
  value: string;
}

export interface NameSources {
  /** The machine's own name, with or without a domain. */
  hostName: string;
  /** Addresses of the interfaces that are up. */
  addresses: readonly string[];
  /** Names and addresses that the operator adds. */
  extraNames: readonly string[];
}

const dnsName = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/;

/** Reads a DNS name or IP address; null for text that no certificate can hold (spaces, underscores, `*`). */
export function parseLeafName(text: string): LeafName | null {
  const value = text
    .trim()
    .toLowerCase()
    .replace(/\.$/, '')
    .replace(/%[\s\S]*$/, '');
  if (isIP(value)) return { type: 'ip', value };
  return dnsName.test(value) ? { type: 'dns', value } : null;
}

/**
 * The names by which this machine can be reached: localhost, HOST, HOST.local, loopback, its addresses and the extra
 * ones.
 */
export function wantedNames(sources: NameSources): LeafName[] {
  const [label = ''] = sources.hostName.split('.');
  const texts = [
    'localhost',
    sources.hostName,
    `${label}.local`,
    '127.0.0.1',
    '::1',
    ...sources.addresses,
    ...sources.extraNames,
  ];
  const names = texts.map(parseLeafName).filter((name) => name !== null);
  return [...new Map(names.map((name) => [name.value, name])).values()];
}
