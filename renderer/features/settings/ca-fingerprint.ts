import { certificatePattern } from '../../../server/contract/certificate-pattern.ts';

/** SHA-256 of a PEM certificate, as `AA:BB:…`. Throws when the text contains none. */
export async function fingerprintOf(pem: string): Promise<string> {
  const body = certificatePattern.exec(pem)?.[1];
  if (body === undefined) throw new Error('no certificate in the text');
  const der = Uint8Array.from(atob(body.replaceAll(/\s/g, '')), (character) => character.charCodeAt(0));
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', der));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0').toUpperCase()).join(':');
}

/** True for a name by which other devices cannot reach this one. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d+){3}$/.test(hostname);
}
