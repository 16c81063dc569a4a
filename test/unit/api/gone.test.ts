import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, it } from 'vitest';
import { onceGone } from '../../../server/api/gone.ts';

it('calls all that wait for the end of a response, in order and once, by one listener on it', () => {
  const response = Object.assign(new EventEmitter(), { destroyed: false });
  const called: number[] = [];
  const wait = (n: number): void => onceGone(response as unknown as ServerResponse, () => called.push(n)); // all it uses
  for (const n of [1, 2, 3]) wait(n);
  expect(response.listenerCount('close')).toBe(1);
  response.destroyed = true;
  response.emit('close');
  response.emit('close');
  wait(4);
  expect(called).toEqual([1, 2, 3, 4]);
});
