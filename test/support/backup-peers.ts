import aws4 from 'aws4';
import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { v2 as webdav } from 'webdav-server';
import { onTestFinished } from 'vitest';
import type { BackupTargetOptions } from '../../server/contract/backup-target.ts';
import { testFolder } from './database.ts';

export interface BackupPeer {
  options: BackupTargetOptions;
  secret: string;
  stop: () => Promise<void>;
}

/** A WebDAV server that keeps files on a disk, with digest authentication. */
export async function webdavPeer(tls?: { key: string; cert: string }): Promise<BackupPeer & { folder: string }> {
  const folder = testFolder();
  const users = new webdav.SimpleUserManager();
  const user = users.addUser('orangery', 'let-me-in', false);
  const privileges = new webdav.SimplePathPrivilegeManager();
  privileges.setRights(user, '/', ['all']);
  const server = new webdav.WebDAVServer({
    hostname: '127.0.0.1',
    httpAuthentication: new webdav.HTTPDigestAuthentication(users, 'farm'),
    privilegeManager: privileges,
    ...(tls && { https: tls }),
  });
  await server.setFileSystemAsync('/backups', new webdav.PhysicalFileSystem(folder));
  const { port } = (await server.startAsync(0)).address() as AddressInfo; // of TCP
  const stop = async (): Promise<void> => void (await server.stopAsync());
  onTestFinished(() => stop().catch(() => undefined));
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${port}/backups`;
  return { folder, secret: 'let-me-in', stop, options: { kind: 'webdav', url, network: 'lan', username: 'orangery' } };
}

/**
 * An S3 server whose key may be allowed to send only. It checks neither signatures of version 4 nor that a body is the
 * signed one: `signatureGate` does.
 */
export async function s3Peer({ isForSending = false } = {}): Promise<BackupPeer & { folder: string }> {
  const directory = testFolder();
  const folder = join(directory, 'farm-backups');
  mkdirSync(folder);
  const server = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: 'farm-backups' }],
  });
  const { port: inner } = await server.run();
  const gate = createServer((asked, answer) => {
    if (isForSending && asked.method !== 'PUT') answer.writeHead(403).end();
    else void signatureGate(asked, answer, inner);
  });
  await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
  const { port } = gate.address() as AddressInfo; // of TCP
  const stop = async (): Promise<void> => {
    gate.closeAllConnections();
    gate.close();
    await server.close();
  };
  onTestFinished(() => stop().catch(() => undefined));
  const place = { region: 'us-east-1', bucket: 'farm-backups', prefix: 'north/', access_key_id: 'S3RVER' };
  const url = `http://127.0.0.1:${port}`;
  return { folder, secret: 'let-me-in', stop, options: { kind: 's3', url, network: 'lan', ...place } };
}

/** Forwards only requests that match another implementation of Signature Version 4, with a body of the signed hash. */
async function signatureGate(asked: IncomingMessage, answer: ServerResponse, port: number): Promise<void> {
  const body = await buffer(asked);
  const { method = '', url: path = '', headers } = asked;
  const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1]?.split(';') ?? [];
  const signedHeaders = Object.fromEntries(names.map((name) => [name, String(headers[name])]));
  const request = { service: 's3', region: 'us-east-1', method, path, headers: signedHeaders };
  const expected = aws4.sign(request, { accessKeyId: 'S3RVER', secretAccessKey: 'let-me-in' }).headers?.[
    'Authorization'
  ];
  const isWhole = headers['x-amz-content-sha256'] === createHash('sha256').update(body).digest('hex');
  if (!isWhole || String(expected).replaceAll(' ', '') !== String(headers.authorization).replaceAll(' ', '')) {
    answer.writeHead(403).end('<Error><Code>SignatureDoesNotMatch</Code></Error>');
    return;
  }
  const inner = forward({ host: '127.0.0.1', port, method, path, headers }, (said) => {
    answer.writeHead(said.statusCode ?? 500, said.headers);
    said.pipe(answer);
  });
  inner.on('error', () => answer.destroy());
  inner.end(body);
}
