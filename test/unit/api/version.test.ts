import { describe, expect, it } from 'vitest';
import { checkVersion } from '../../../server/api/checks/version.ts';

describe('checkVersion', () => {
  it.each([
    'application/vnd.orangery.v1+json',
    'Application/VND.Orangery.V1+JSON',
    'application/vnd.orangery.v1+json; charset=utf-8',
    'text/html, application/vnd.orangery.v1+json;q=0.5, */*',
    'application/vnd.orangery.v2+json,application/vnd.orangery.v1+json',
  ])('takes %s', (accept) => {
    expect(() => checkVersion(accept)).not.toThrow();
  });

  it.each([
    ['', 'version_required'],
    [' ', 'version_required'],
    ['*/*', 'version_unsupported'],
    ['application/*', 'version_unsupported'],
    ['application/json', 'version_unsupported'],
    ['application/vnd.orangery.v2+json', 'version_unsupported'],
    ['application/vnd.orangery.v1+json; q=0', 'version_unsupported'],
    ['application/vnd.orangery.v1+json;q=0.000', 'version_unsupported'],
  ])('refuses %j with %s', (accept, code) => {
    const supported = ['application/vnd.orangery.v1+json'];
    expect(() => checkVersion(accept)).toThrow(expect.objectContaining({ code, members: { supported } }));
  });
});
