import { deviceSays } from '../../contract/device-words.ts';
import type { Interlock } from '../../contract/safety.ts';
import { isOn } from '../../contract/output-state.ts';
import type { GateRule } from './gate.ts';

/** While the first channel is above a limit, the second may not be on. */
export type InterlockRow = Omit<Interlock, 'is_mutual'>;

/** A mutual interlock is two rows: the second channel forbids the first whenever it is on at all. */
export function interlockRows(interlocks: readonly Interlock[]): InterlockRow[] {
  return interlocks.flatMap(({ is_mutual, ...row }) => (is_mutual ? [row, turned(row)] : [row]));
}

function turned(row: InterlockRow): InterlockRow {
  return {
    name: row.name,
    while_output_id: row.forbids_output_id,
    while_channel: row.forbids_channel,
    above_pct: 0,
    forbids_output_id: row.while_output_id,
    forbids_channel: row.while_channel,
  };
}

/** Refuses to switch a channel on against the table; a channel in an unknown state counts as open or on. */
export function interlockRule(table: () => readonly InterlockRow[]): GateRule {
  return (request, site) => {
    if (!isOn(request.value)) return undefined;
    const broken = table().find(
      (row) =>
        row.forbids_output_id === request.output_id &&
        row.forbids_channel === request.channel &&
        site.exposurePct(row.while_output_id, row.while_channel) > row.above_pct,
    );
    if (broken === undefined) return undefined;
    const { name } = broken;
    return { rule: 'interlock', message: deviceSays('interlocked', { name }), held_by: { name }, value: 'off' };
  };
}
