import type { BackupTargetOptions } from '../contract/backup-target.ts';
import type { RemoteAccess, RemoteFolder } from './remote-folder.ts';
import { s3Folder } from './s3-folder.ts';
import { webdavFolder } from './webdav-folder.ts';

export function openRemoteFolder(options: BackupTargetOptions, access: RemoteAccess): RemoteFolder {
  return options.kind === 's3' ? s3Folder(options, access) : webdavFolder(options, access);
}
