/** Of the name of a site, characters: at four bytes each, and with the span, within the 255 bytes of a name on disk. */
const longestSite = 50;

/**
 * What a file of a span is called without its ending, in the site's time: `North field 2026-03-01 0900 - 2026-03-02
 * 0900`. Letters of any script stay; what a file system could take amiss becomes `_`.
 */
export function spanFileName(siteName: string, span: { from_ms: number; to_ms: number }, time_zone: string): string {
  // Swedish writes the date as ISO 8601 does.
  const form = new Intl.DateTimeFormat('sv-SE', { timeZone: time_zone, dateStyle: 'short', timeStyle: 'short' });
  const [from, to] = [span.from_ms, span.to_ms].map((atMs) => form.format(atMs).replace(':', ''));
  const site = siteName.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N} _-]/gu, '_');
  return `${[...site].slice(0, longestSite).join('').trim() || 'Orangery'} ${from} - ${to}`;
}
