import { expect, it } from 'vitest';
import { channelResolution } from '../../../../server/domain/control/channel-resolution.ts';

type Channel = Parameters<typeof channelResolution>[0];
const plain: Channel = { resolution: null, scale: null, raw_unit: null, measurement: 'temperature' };

it.each<[string, Partial<Channel>, number | undefined, number | undefined]>([
  ['is unknown when nobody says it', {}, undefined, undefined],
  ['is that of the driver', {}, 0.1, 0.1],
  ['is what somebody said of it', { resolution: 0.5 }, 0.1, 0.5],
  ['is known by saying it alone', { resolution: 0.01 }, undefined, 0.01],
  ['is scaled', { scale: { kind: 'linear', factor: -0.25, offset: -40 } }, 1, 0.25],
  ['is converted', { raw_unit: 'F' }, 0.9, 0.5],
  ['is unknown behind an expression', { scale: { kind: 'expression', expression: 'x * x' } }, 1, undefined],
  ['is unknown in a unit of the site’s own', { raw_unit: 'Réaumur' }, 1, undefined],
  ['is unknown of a number that counts nothing', { scale: { kind: 'linear', factor: 0, offset: 20 } }, 1, undefined],
])('%s', (_, more, ofDriver, step) => {
  const found = channelResolution({ ...plain, ...more }, ofDriver);
  if (step === undefined) expect(found).toBeUndefined();
  else expect(found).toBeCloseTo(step, 12);
});
