import { expect, it } from 'vitest';
import { withoutSecrets } from '../../server/log-secrets.ts';

it.each([
  ['{"name":"ada","password":"greenhouse 7"}', '{"name":"ada","password":"***"}'],
  [String.raw`{"body":"{\"token\": \"t0p\",\"n\":1}"}`, String.raw`{"body":"{\"token\": \"***\",\"n\":1}"}`],
  ['GET /api/tiles?z=3&api_key=k1ey&x=2', 'GET /api/tiles?z=3&api_key=***&x=2'],
  ['Authorization: Bearer abcdef0123456789', 'Authorization: Bearer ***'],
  ['rtsp://ada:greenhouse@10.0.0.7/live', 'rtsp://***@10.0.0.7/live'],
  ['the key of the door hangs by the heater', 'the key of the door hangs by the heater'],
])('%s', (line, safe) => expect(withoutSecrets(line)).toBe(safe));
