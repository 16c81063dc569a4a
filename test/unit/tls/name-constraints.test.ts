import { describe, expect, it } from 'vitest';
import { type LeafName, parseLeafName } from '../../../server/tls/leaf-name.ts';
import { permits, permittedNames } from '../../../server/tls/name-constraints.ts';

function leafName(text: string): LeafName {
  const name = parseLeafName(text);
  if (!name) throw new Error(`not a name: ${text}`);
  return name;
}

describe('permittedNames', () => {
  const permitted = permittedNames(['pi', 'pi.local', '203.0.113.9', '2001:db8::9', '10.0.0.5'].map(leafName));

  it.each([
    ['localhost', true],
    ['other.local', true],
    ['pi', true],
    ['www.pi', true],
    ['pi.example.com', false],
    ['example.com', false],
    ['notlocal', false],
    ['127.0.0.1', true],
    ['172.31.255.255', true],
    ['172.32.0.0', false],
    ['100.64.0.1', true],
    ['100.128.0.1', false],
    ['203.0.113.9', true],
    ['203.0.113.10', false],
    ['::1', true],
    ['::2', false],
    ['fd12::3', true],
    ['fe80::99', true],
    ['2001:db8::9', true],
    ['2001:db8::a', false],
  ])('%s: %s', (text, expected) => {
    expect(permits(permitted, leafName(text))).toBe(expected);
  });

  it('adds only what lies outside the local ranges', () => {
    expect(permitted.dnsNames).toEqual(['localhost', 'local', 'pi']);
    expect(permitted.ranges.slice(-2)).toEqual(['203.0.113.9/32', '2001:db8::9/128']);
  });
});
