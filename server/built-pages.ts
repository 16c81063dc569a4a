import { existsSync } from 'node:fs';
import { join } from 'node:path';

interface BuiltPages {
  rendererDirectory?: string;
  swaggerUiDirectory?: string;
}

/** Folders of the build: beside the bundle, or in dist/ when the sources run. Empty before the first build. */
export function builtPages(): BuiltPages {
  const dist = join(import.meta.dirname, import.meta.filename.endsWith('.ts') ? '../dist' : '..');
  const rendererDirectory = join(dist, 'renderer');
  const swaggerUiDirectory = join(dist, 'swagger-ui');
  return existsSync(rendererDirectory) && existsSync(swaggerUiDirectory)
    ? { rendererDirectory, swaggerUiDirectory }
    : {};
}
