/**
 * Address of a worker's file: beside the importing source file when the sources run (`import.meta.url` ends in .ts),
 * beside the bundle otherwise, where all entries share one folder.
 */
export function workerEntry(name: string, importMetaUrl: string): URL {
  const extension = new URL(importMetaUrl).pathname.endsWith('.ts') ? 'ts' : 'js';
  return new URL(`./${name}.${extension}`, importMetaUrl);
}
