import { refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';

/** What can be referred to from elsewhere. */
type Referred = 'device' | 'facility' | 'map';

/** Whether something living of that kind has this id (lower case). */
export type ReferenceExists = (kind: Referred, id: string) => boolean;

export interface Reference {
  kind: Referred;
  id: string;
  /** Path in the request. */
  path: string;
}

/** Throws `unknown_reference` for the first that leads nowhere. */
export function checkReferred(references: readonly Reference[], exists: ReferenceExists): void {
  for (const { kind, id, path } of references) {
    if (!exists(kind, id)) throw refuseField('unknown_reference', path, why(`no_such_${kind}`));
  }
}
