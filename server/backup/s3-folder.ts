import { AwsV4Signer } from 'aws4fetch';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { XMLParser } from 'fast-xml-parser';
import { z } from 'zod';
import type { s3Options } from '../contract/backup-target.ts';
import type { OutboundStream, StreamRequest } from '../outbound/outbound.ts';
import { BackupError } from './backup-error.ts';
import { refuseStatus, type RemoteAccess, type RemoteFile, type RemoteFolder } from './remote-folder.ts';
import { saveBody, textOf } from './remote-body.ts';

/** The limit of a single PUT with every service (S3 User Guide, "Uploading objects"). */
const mostObjectBytes = 5 * 1024 ** 3;
const mostPages = 50;

const contents = z.object({ Key: z.string(), Size: z.coerce.number() });
const page = z.object({
  ListBucketResult: z.object({
    Contents: z.array(contents).optional(),
    NextContinuationToken: z.string().optional(),
  }),
});
const parser = new XMLParser({
  parseTagValue: false,
  isArray: (name) => name === 'Contents',
});

/**
 * A folder of a bucket, by Signature Version 4 with the bucket in the path, which every S3 service accepts. The hash of
 * each body is signed: the service refuses one that was altered on the way.
 */
export function s3Folder(options: z.infer<typeof s3Options>, { secret, outbound }: RemoteAccess): RemoteFolder {
  const { url, bucket, prefix, region, access_key_id: accessKeyId, network: policy, ca } = options;
  const base = url.replace(/\/$/, '');

  async function ask(
    method: StreamRequest['method'],
    path: string,
    sent: Omit<StreamRequest, 'policy' | 'method' | 'ca'> & { hash?: string },
  ): Promise<OutboundStream> {
    const { hash = emptyHash, ...request } = sent;
    const address = `${base}/${bucket}${path}`;
    const signed = await new AwsV4Signer({
      method,
      url: address,
      accessKeyId,
      secretAccessKey: secret ?? '',
      service: 's3',
      region,
      headers: { ...request.headers, 'X-Amz-Content-Sha256': hash },
      allHeaders: false,
    }).sign();
    return outbound.stream(signed.url.href, {
      ...request,
      policy,
      ca,
      method,
      headers: Object.fromEntries(signed.headers),
    });
  }
  const keyOf = (name: string): string => `/${prefix}${encodeURIComponent(name)}`;

  return {
    async list(signal) {
      const files: RemoteFile[] = [];
      let token: string | undefined;
      for (let pages = 0; pages < mostPages; pages += 1) {
        const query = new URLSearchParams({
          'list-type': '2',
          ...(token && { 'continuation-token': token }),
          prefix: `${prefix}orangery-`,
        });
        const answer = await ask('GET', `?${query.toString()}`, { signal });
        const text = await textOf(answer);
        refuseStatus(answer.status, 'listing the bucket');
        const { success, data } = page.safeParse(parser.parse(text));
        if (!success) throw new BackupError('target_failed', 'listing the bucket: it answered no list');
        const { Contents = [], NextContinuationToken } = data.ListBucketResult;
        for (const { Key, Size } of Contents) files.push({ name: Key.slice(prefix.length), bytes: Size });
        token = NextContinuationToken;
        if (token === undefined) return files;
      }
      return files;
    },
    async put(name, { file, bytes, sha256 }, signal) {
      if (bytes > mostObjectBytes)
        throw new BackupError('target_failed', `${name} is larger than the 5 GB of one upload`);
      const headers = { 'content-length': String(bytes), 'content-type': 'application/octet-stream' };
      const answer = await ask('PUT', keyOf(name), { headers, hash: sha256, body: createReadStream(file), signal });
      await textOf(answer);
      refuseStatus(answer.status, `sending ${name}`);
      const seen = await ask('HEAD', keyOf(name), { signal });
      await textOf(seen);
      if (seen.status === 403) return; // a key may be good for sending alone: the hash that was signed was checked
      refuseStatus(seen.status, `looking for ${name}`);
      if (seen.headers.get('content-length') !== String(bytes)) {
        throw new BackupError('target_failed', `${name} is not there as it was sent`);
      }
    },
    async get({ name, bytes }, file, signal) {
      const answer = await ask('GET', keyOf(name), { signal });
      if (answer.status !== 200) await textOf(answer);
      refuseStatus(answer.status, `fetching ${name}`);
      await saveBody(answer, file, bytes);
    },
    async remove(name, signal) {
      const answer = await ask('DELETE', keyOf(name), { signal });
      await textOf(answer);
      if (answer.status !== 404) refuseStatus(answer.status, `deleting ${name}`);
    },
  };
}

const emptyHash = createHash('sha256').digest('hex');
