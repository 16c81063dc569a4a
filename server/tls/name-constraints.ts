import 'reflect-metadata';
import { BlockList, isIPv6 } from 'node:net';
import { AsnConvert } from '@peculiar/asn1-schema';
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509';
import { Extension, type X509Certificate } from '@peculiar/x509';
import type { LeafName } from './leaf-name.ts';

/** Loopback, private, link-local, carrier-grade NAT (RFC 6598) and unique local ranges. */
const localRanges = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '100.64.0.0/10',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
];

/** What the authority may vouch for. A DNS name includes everything below it. */
export interface PermittedNames {
  dnsNames: string[];
  /** As `address/prefix`. */
  ranges: string[];
}

/** The local names and ranges, with those of this machine that lie outside them. */
export function permittedNames(own: readonly LeafName[]): PermittedNames {
  const permitted = { dnsNames: ['localhost', 'local'], ranges: [...localRanges] };
  for (const name of own) {
    if (permits(permitted, name)) continue;
    if (name.type === 'dns') permitted.dnsNames.push(name.value);
    else permitted.ranges.push(`${name.value}/${isIPv6(name.value) ? 128 : 32}`);
  }
  return permitted;
}

/** A single name outside makes a leaf invalid for all of its names, so each is checked first. */
export function permits(permitted: PermittedNames, name: LeafName): boolean {
  if (name.type === 'dns') {
    return permitted.dnsNames.some((base) => name.value === base || name.value.endsWith(`.${base}`));
  }
  const list = new BlockList();
  for (const range of permitted.ranges) {
    const [address = '', prefix] = range.split('/');
    list.addSubnet(address, Number(prefix), family(address));
  }
  return list.check(name.value, family(name.value));
}

function family(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

/** The critical X.509 extension (RFC 5280, 4.2.1.10). */
export function encodeConstraints(permitted: PermittedNames): Extension {
  const bases = [
    ...permitted.dnsNames.map((dNSName) => new GeneralName({ dNSName })),
    ...permitted.ranges.map((iPAddress) => new GeneralName({ iPAddress })),
  ];
  const permittedSubtrees = new GeneralSubtrees(bases.map((base) => new GeneralSubtree({ base })));
  return new Extension(id_ce_nameConstraints, true, AsnConvert.serialize(new NameConstraints({ permittedSubtrees })));
}

/** The constraints of an earlier authority; empty when it lacks the extension. */
export function constraintsOf(authority: X509Certificate): PermittedNames {
  const extension = authority.getExtension(id_ce_nameConstraints);
  const permitted: PermittedNames = { dnsNames: [], ranges: [] };
  if (!extension) return permitted;
  for (const { base } of AsnConvert.parse(extension.value, NameConstraints).permittedSubtrees ?? []) {
    if (base.dNSName !== undefined) permitted.dnsNames.push(base.dNSName);
    if (base.iPAddress !== undefined) permitted.ranges.push(base.iPAddress);
  }
  return permitted;
}
