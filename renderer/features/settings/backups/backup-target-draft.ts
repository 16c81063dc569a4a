import {
  backupTargetCreate,
  type BackupTarget,
  type BackupTargetCreate,
  type BackupTargetOptions,
} from '../../../../server/contract/backup-target.ts';
import type { SecretSent } from '../../../../server/contract/secret.ts';

/** A target of any kind as form values. */
export interface BackupTargetDraft {
  name: string;
  is_enabled: boolean;
  kind: BackupTargetOptions['kind'];
  url: string;
  is_lan: boolean;
  /** PEM; empty for none. */
  ca: string;
  username: string;
  region: string;
  bucket: string;
  prefix: string;
  access_key_id: string;
  secret: SecretSent | null | undefined;
}

export function backupTargetDraftOf(target: BackupTarget | null): BackupTargetDraft {
  const empty = { url: '', username: '', region: 'us-east-1', bucket: '', prefix: '', access_key_id: '' };
  const { network = 'public', kind = 'webdav', ca = '', ...options } = target?.options ?? {};
  return {
    ...empty,
    ...options,
    kind,
    ca,
    name: target?.name ?? '',
    is_enabled: target?.is_enabled ?? true,
    is_lan: network === 'lan',
    secret: undefined,
  };
}

export function backupTargetWire(draft: BackupTargetDraft): BackupTargetCreate {
  const { name, is_enabled, kind, is_lan, secret, username, ...entered } = draft;
  const network = is_lan ? ('lan' as const) : ('public' as const);
  const { url, region, bucket, access_key_id, ca } = trimmed(entered);
  const place = { url, network, ...(isOfCertificate(draft) && ca !== '' && { ca }) };
  const options: BackupTargetOptions =
    kind === 'webdav'
      ? { kind, ...place, username: username.trim() }
      : { kind, ...place, region, bucket, prefix: folderOf(entered.prefix), access_key_id };
  return { name: name.trim(), is_enabled, options, ...(secret !== undefined && { secret }) };
}

/** Paths of invalid entries. */
export function backupTargetFaults(draft: BackupTargetDraft): Set<string> {
  const issues = backupTargetCreate.safeParse(backupTargetWire(draft)).error?.issues ?? [];
  const faults = new Set(issues.map(({ path }) => path.join('.')));
  if (isPlainOutside(draft)) faults.add('options.url');
  return faults;
}

/** Plain HTTP is allowed only in the local network. */
export function isPlainOutside({ url, is_lan }: BackupTargetDraft): boolean {
  return !is_lan && /^http:/i.test(url.trim());
}

/** Whether the server's certificate may be one the system does not know; on the internet it must be a known one. */
export function isOfCertificate({ url, is_lan }: Pick<BackupTargetDraft, 'url' | 'is_lan'>): boolean {
  return is_lan && /^https:/i.test(url.trim());
}

function trimmed<Texts extends Record<string, string>>(texts: Texts): Texts {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, text.trim()])) as Texts; // the same keys
}

/** Empty, or with a trailing slash. */
function folderOf(prefix: string): string {
  const bare = prefix.trim().replace(/^\//, '');
  return bare === '' || bare.endsWith('/') ? bare : `${bare}/`;
}
