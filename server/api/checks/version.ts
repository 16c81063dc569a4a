import { mediaType } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/errors.ts';

/** Refuses a request whose Accept does not name a served version. Throws `version_required`, `version_unsupported`. */
export function checkVersion(accept: string): void {
  const members = { supported: [mediaType] };
  if (accept.trim() === '') {
    throw new Refusal('version_required', `send the header Accept: ${mediaType}`, { members });
  }
  if (accept === mediaType || accept.split(',').some(names)) return;
  throw new Refusal('version_unsupported', `only ${mediaType} is served`, { members });
}

function names(range: string): boolean {
  const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
  return type === mediaType && !parameters.some((parameter) => /^q\s*=\s*0(\.0*)?$/.test(parameter));
}
