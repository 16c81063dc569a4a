import { refuseField } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import type { Interlock } from '../../contract/safety.ts';
import type { OutputRepository } from '../../db/repositories/output.ts';

/** Throws `unknown_reference` for an unknown channel, `invalid_field` for one that would forbid itself. */
export function refuseUnknownChannels(interlocks: readonly Interlock[], outputs: Pick<OutputRepository, 'get'>): void {
  for (const [index, row] of interlocks.entries()) {
    const path = `safety.interlocks[${index}]`;
    for (const side of ['while', 'forbids'] as const) {
      const found = outputs.get(row[`${side}_output_id`]);
      if (found === undefined)
        throw refuseField('unknown_reference', `${path}.${side}_output_id`, why('no_such_output'));
      if (found.channels.some(({ channel }) => channel === row[`${side}_channel`])) continue;
      throw refuseField('unknown_reference', `${path}.${side}_channel`, why('no_such_channel'));
    }
    const isSame = row.while_output_id === row.forbids_output_id;
    if (isSame && row.while_channel === row.forbids_channel) {
      throw refuseField('invalid_field', `${path}.forbids_output_id`, why('same_channel'));
    }
  }
}
