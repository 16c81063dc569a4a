import { describe, expect, it } from 'vitest';
import { EnvironmentError, readEnvironment } from '../../server/environment.ts';

describe('the environment', () => {
  it('is set up by default', () => {
    expect(readEnvironment({})).toEqual({
      dataDirectory: undefined,
      httpsPort: 8443,
      host: undefined,
      daemonPort: 9080,
      daemonNetwork: undefined,
      logLevel: 'info',
      tlsNames: [],
    });
  });

  it('takes what the variables say', () => {
    const env = {
      ORANGERY_HTTPS_PORT: '0',
      ORANGERY_TLS_NAMES: 'box.local, 10.0.0.7',
      ORANGERY_HOST: '127.0.0.1',
      ORANGERY_DAEMON_NETWORK_HOST: '0.0.0.0',
      OTHER: 'x',
    };
    expect(readEnvironment(env)).toMatchObject({
      httpsPort: 0,
      tlsNames: ['box.local', '10.0.0.7'],
      host: '127.0.0.1',
      daemonNetwork: { host: '0.0.0.0', port: 9081 },
    });
  });

  it.each([
    ['ORANGERY_HTTPS_PORT', '84x'],
    ['ORANGERY_HTTPS_PORT', '70000'],
    ['ORANGERY_DAEMON_PORT', '-1'],
    ['ORANGERY_LOG_LEVEL', 'loud'],
    ['ORANGERY_DATA_DIR', ''],
  ])('refuses %s=%s by name', (name, value) => {
    expect(() => readEnvironment({ [name]: value })).toThrow(EnvironmentError);
    expect(() => readEnvironment({ [name]: value })).toThrow(`${name}=${value}`);
  });
});
