/**
 * Address of a worker's file: beside the importing source file when the sources run (`import.meta.url` ends in .ts),
 * else beside the bundle, where all entries share one folder.
 */
export function workerEntry(name: string, importMetaUrl: string): URL {
  const extension = new URL(importMetaUrl).pathname.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${name}.${extension}`, importMetaUrl);
}
