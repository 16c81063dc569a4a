export const linkScheme = 'orangery';

const longest = 1_000;
/** Pages of the application. A link must not open a page that changes something by being opened; there is none. */
const pagePath = /^\/[\w/.~-]*$/;

/**
 * The path on the service for `orangery://alarms` or `orangery://maps/UUID?...`; null for anything else. Links come
 * from anywhere: only a plain path and its query are used.
 */
export function pathOfLink(link: string): string | null {
  if (link.length > longest || !URL.canParse(link)) return null;
  const { protocol, host, pathname, search, username, port } = new URL(link);
  if (protocol !== `${linkScheme}:` || username !== '' || port !== '') return null;
  const path = `/${[host, ...pathname.split('/')].filter((part) => part !== '').join('/')}`;
  const isPage = pagePath.test(path) && !path.split('/').some((part) => part.startsWith('.')) && !isInterface(path);
  return isPage ? path + search : null;
}

/** The interface is for programs. */
function isInterface(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

/** The first link among the arguments of a start. */
export function linkIn(argv: readonly string[]): string | null {
  return argv.find((one) => one.startsWith(`${linkScheme}://`)) ?? null;
}
