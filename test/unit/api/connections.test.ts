import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Connections } from '../../../server/api/connections.ts';

let port = 1;

/** As much of a socket as is looked at; a real one is in front.test.ts. */
function socketFrom(remoteAddress: string): Socket {
  const socket = Object.assign(new EventEmitter(), {
    remoteAddress,
    remotePort: (port += 1),
    destroyed: false,
    destroy: () => {
      socket.destroyed = true;
      socket.emit('close');
    },
  });
  return socket as unknown as Socket;
}

const lan = '192.168.1.20';

it('cuts the longest idle stranger of an address for its next, and never who has logged in', () => {
  const connections = new Connections({ mostOfAddress: 3 });
  const [known, busy, idle, next, last] = Array.from({ length: 5 }, () => socketFrom(lan)) as [
    Socket,
    Socket,
    Socket,
    Socket,
    Socket,
  ]; // five were made
  for (const socket of [known, busy, idle]) expect(connections.admit(socket)).toBe(true);
  connections.vouch(known);
  const done = connections.busy(busy);
  expect(connections.admit(next)).toBe(true);
  expect([known, busy, idle].map(({ destroyed }) => destroyed)).toEqual([false, false, true]);
  connections.vouch(next);
  done();
  expect(connections.admit(last)).toBe(true);
  expect(busy.destroyed).toBe(true);
  connections.vouch(last);
  expect(connections.admit(socketFrom(lan))).toBe(false);
  expect(connections.size).toBe(3);
});

it('a crowd of one address or of many keeps neither the others nor this machine out', () => {
  const connections = new Connections({ most: 10, mostOfAddress: 8, mostOfLoopback: 2 });
  for (let i = 0; i < 100; i += 1) connections.admit(socketFrom(lan));
  expect(connections.size).toBe(8);
  expect(connections.admit(socketFrom('192.168.1.21'))).toBe(true);
  for (let i = 0; i < 100; i += 1) connections.admit(socketFrom(`10.0.0.${i}`));
  expect(connections.size).toBe(10);
  for (let i = 0; i < 5; i += 1) expect(connections.admit(socketFrom('127.0.0.1'))).toBe(true);
  expect(connections.size).toBe(12);
});

it('networks of IPv6 count as one', () => {
  const connections = new Connections({ mostOfAddress: 2 });
  for (let i = 1; i < 9; i += 1) connections.admit(socketFrom(`2001:db8:1:2::${i}`));
  expect(connections.size).toBe(2);
});
