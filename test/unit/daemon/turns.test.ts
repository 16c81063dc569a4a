import { expect, it } from 'vitest';
import { Turns } from '../../../server/daemon/turns.ts';

it('begins the next of one thing after the last has failed, and that of another at once', async () => {
  const turns = new Turns();
  const order: string[] = [];
  const { promise: held, reject } = Promise.withResolvers<never>();
  const first = turns.take('heater', () => held);
  const second = turns.take('heater', async () => void order.push('heater'));
  await turns.take('vent', async () => void order.push('vent'));
  reject(new Error('refused'));
  await expect(first).rejects.toThrow('refused');
  await second;
  expect(order).toEqual(['vent', 'heater']);
});
