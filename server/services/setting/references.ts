import { refuseField } from '../../contract/errors.ts';

/** What can be referred to from elsewhere. */
type Referred = 'device' | 'facility' | 'map';

/** Tells whether there is a living thing of that kind with an identifier in lower case. */
export type ReferenceExists = (kind: Referred, id: string) => boolean;

export interface Reference {
  kind: Referred;
  id: string;
  /** Where the request names it. */
  path: string;
}

/** Throws `unknown_reference` for the first that leads nowhere. */
export function checkReferred(references: readonly Reference[], exists: ReferenceExists): void {
  for (const { kind, id, path } of references) {
    if (!exists(kind, id)) throw refuseField('unknown_reference', path, `is no ${kind} that exists`);
  }
}
