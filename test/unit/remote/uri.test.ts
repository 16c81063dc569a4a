import { expect, it } from 'vitest';
import { formatRemoteUri, parseRemoteUri } from '../../../server/remote/uri.ts';

it.each([
  ['PYRO:orangery.pyro_server@127.0.0.1:9080', { object: 'orangery.pyro_server', host: '127.0.0.1', port: 9080 }],
  ['PYRO:Pyro.Daemon@green-house.local:1', { object: 'Pyro.Daemon', host: 'green-house.local', port: 1 }],
  ['PYRO:a@[::1]:65535', { object: 'a', host: '::1', port: 65_535 }],
  ['PYRO:a@[fe80::1%eth0]:80', { object: 'a', host: 'fe80::1%eth0', port: 80 }],
])('%s is read and written', (text, uri) => {
  expect(parseRemoteUri(text)).toEqual(uri);
  expect(formatRemoteUri(uri)).toBe(text);
});

it.each([
  '',
  'PYRO:a@h',
  'PYRO:a@h:0',
  'PYRO:a@h:65536',
  'PYRO:a@::1:80',
  'PYRO:@h:1',
  'PYRO:a b@h:1',
  'PYRO:a@./u:/tmp/s',
  'PYRONAME:a',
  'PYROMETA:a@h:1',
  'pyro:a@h:1',
  'PYRO:a@h:1 ',
  'PYRO:a@[h]:1',
  'PYRO:a@b@h:1',
])('%j is refused', (text) => {
  expect(() => parseRemoteUri(text)).toThrow(expect.objectContaining({ code: 'invalid_argument' }));
});
