import type { PidState } from '../../../contract/pid.ts';

/** Commands to a PID. */
export type PidTold = 'activate' | 'deactivate' | 'hold' | 'pause' | 'resume';

/** The next state; `not_active` refuses the command. */
export const pidTransitions: Readonly<Record<PidState, Readonly<Record<PidTold, PidState | 'not_active'>>>> = {
  inactive: {
    activate: 'running',
    deactivate: 'inactive',
    hold: 'not_active',
    pause: 'not_active',
    resume: 'not_active',
  },
  running: { activate: 'running', deactivate: 'inactive', hold: 'held', pause: 'paused', resume: 'running' },
  held: { activate: 'held', deactivate: 'inactive', hold: 'held', pause: 'paused', resume: 'running' },
  paused: { activate: 'paused', deactivate: 'inactive', hold: 'held', pause: 'paused', resume: 'running' },
};
