import type { PidRehearsal } from '../../contract/pid-rehearsal.ts';
import { rehearsePid, type PidRehearsalAsked } from '../../domain/rehearsal/pid-rehearsal.ts';

export const pidRehearsalTasks = {
  rehearse: (_own: null, given: PidRehearsalAsked): Pick<PidRehearsal, 'times_s' | 'runs'> => rehearsePid(given),
};
export type PidRehearsalTasks = typeof pidRehearsalTasks;
