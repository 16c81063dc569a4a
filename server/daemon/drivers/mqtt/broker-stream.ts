import { connect as connectTcp, isIP } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { PacketFilter } from './packet-filter.ts';

/** The longest accepted message, bytes: those of sensors and announcements are far shorter. */
const longestMessage = 64 * 1024;

export interface BrokerAddress {
  host: string;
  port: number;
  tls: boolean;
  ca?: string | undefined;
  username?: string | undefined;
  password?: string | undefined;
  client_id?: string | undefined;
}

/** Starts to connect; errors arrive as events of the stream. */
export function openStream({ host, port, tls, ca }: BrokerAddress): Duplex {
  const servername = isIP(host) === 0 ? { servername: host } : {};
  const socket = tls
    ? connectTls({ host, port, ...servername, ...(ca !== undefined && { ca }) })
    : connectTcp({ host, port });
  const stream = Duplex.from({ writable: socket, readable: socket.pipe(new PacketFilter(longestMessage)) });
  socket.once('close', () => stream.destroy());
  stream.once('close', () => socket.destroy());
  return stream;
}
