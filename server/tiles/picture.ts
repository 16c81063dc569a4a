/** First bytes of the pictures that are passed on: none of these formats can hold a script, as SVG could. */
const signatures: readonly (readonly [type: string, begin: string, after?: string])[] = [
  ['image/png', '\x89PNG\r\n\x1a\n'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF8'],
  ['image/webp', 'RIFF', 'WEBP'],
];

export const pictureTypes: readonly string[] = signatures.map(([type]) => type);

/**
 * The media type of a picture by its content; undefined for anything else, e.g. a page saying that the network is down.
 */
export function pictureTypeOf(body: Buffer): string | undefined {
  const head = body.toString('latin1', 0, 12);
  return signatures.find(
    ([, begin, after]) => head.startsWith(begin) && (after === undefined || head.endsWith(after)),
  )?.[0];
}
