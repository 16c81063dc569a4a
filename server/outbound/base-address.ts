/** An address without trailing slashes, for a path to follow. */
export function baseAddress(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  return url.slice(0, end);
}
