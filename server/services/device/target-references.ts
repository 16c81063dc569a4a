import type { ControllerReference } from '../../contract/controller-kind.ts';
import { refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { NotificationOptions } from '../../contract/notification-target.ts';

/** The kind of a notification target; undefined for an unknown id. */
export type TargetKind = (id: string) => NotificationOptions['kind'] | undefined;

/** Throws `unknown_reference` for the first target that does not exist or is not of the required kind. */
export function refuseUnknownTargets(references: readonly ControllerReference[], kindOf: TargetKind): void {
  for (const reference of references) {
    if (reference.to !== 'target') continue;
    const { path, id, kind } = reference;
    const found = kindOf(id);
    if (found === undefined) throw refuseField('unknown_reference', path, why('no_such_target'));
    if (kind !== null && found !== kind)
      throw refuseField('unknown_reference', path, why('other_target_kind', { found, kind }));
  }
}
