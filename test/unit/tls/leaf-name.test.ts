import { describe, expect, it } from 'vitest';
import { parseLeafName, wantedNames } from '../../../server/tls/leaf-name.ts';

describe('parseLeafName', () => {
  it.each([
    ['Greenhouse-1', { type: 'dns', value: 'greenhouse-1' }],
    ['greenhouse.example.com.', { type: 'dns', value: 'greenhouse.example.com' }],
    ['192.168.1.7', { type: 'ip', value: '192.168.1.7' }],
    ['FE80::1%eth0', { type: 'ip', value: 'fe80::1' }],
  ])('reads %s', (text, expected) => {
    expect(parseLeafName(text)).toEqual(expected);
  });

  it.each(['', 'my_host', '*.local', 'a..b', '-a', 'two words', 'x'.repeat(64)])('refuses %j', (text) => {
    expect(parseLeafName(text)).toBeNull();
  });
});

describe('wantedNames', () => {
  it('lists each name of the machine once, and leaves out what no certificate can hold', () => {
    const names = wantedNames({
      hostName: 'House_A',
      addresses: ['127.0.0.1', '10.0.0.5', 'fe80::1%eth0'],
      extraNames: ['house.example.com', '10.0.0.5'],
    });
    expect(names.map((name) => name.value)).toEqual([
      'localhost',
      '127.0.0.1',
      '::1',
      '10.0.0.5',
      'fe80::1',
      'house.example.com',
    ]);
  });

  it('adds the host name with and without its domain', () => {
    const names = wantedNames({ hostName: 'pi.farm.example', addresses: [], extraNames: [] });
    expect(names.map((name) => name.value)).toEqual(['localhost', 'pi.farm.example', 'pi.local', '127.0.0.1', '::1']);
  });
});
