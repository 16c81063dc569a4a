import { BlockList, isIP, isIPv6 } from 'node:net';

/** Where a request may go; see the README. */
export type Policy = 'public' | 'lan';

/** IANA special-purpose address registries, 2024, without those of local networks. */
const neverReached = blockList([
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  '::/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '5f00::/16',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]);
/**
 * Addresses outside the link-local range where clouds serve a machine its keys: AWS, Google, Azure, Alibaba, Oracle, by
 * their documentation.
 */
const cloudMetadata = blockList([
  'fd00:ec2::/32',
  'fd20:ce::254/128',
  '168.63.129.16/32',
  '100.100.100.200/32',
  '192.0.0.192/32',
]);
const loopback = blockList(['127.0.0.0/8', '::1/128']);
const local = blockList(['10.0.0.0/8', '100.64.0.0/10', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']);

/** Whether a policy allows an address. An IPv4 address mapped to IPv6 is judged as IPv4. */
export function isAllowed(address: string, policy: Policy, allowLoopback = false): boolean {
  const plain = unmapped(address);
  if (isIP(plain) === 0) return false;
  if (holds(loopback, plain)) return allowLoopback;
  if (holds(neverReached, plain) || holds(cloudMetadata, plain)) return false;
  return policy === 'lan' || !holds(local, plain);
}

function unmapped(address: string): string {
  if (!isIPv6(address)) return address;
  const canonical = new URL(`http://[${address.replace(/%[\s\S]*$/, '')}]`).hostname.slice(1, -1);
  const [, high, low] = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical) ?? [];
  if (high === undefined || low === undefined) return canonical;
  const bits = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return bits.flatMap((part) => [part >> 8, part & 0xff]).join('.');
}

function holds(list: BlockList, address: string): boolean {
  return list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
}

function blockList(subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = '', prefix] = subnet.split('/');
    list.addSubnet(net, Number(prefix), isIPv6(net) ? 'ipv6' : 'ipv4');
  }
  return list;
}
