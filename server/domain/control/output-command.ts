import { amounts, type Amount } from '../../contract/output-state.ts';
import type { OutputChannel, OutputRequest } from '../../contract/output.ts';
import { relayCycle } from './relay-cycle.ts';

/** The amounts in a command; more than one contradict each other. */
export function amountsOf(request: Partial<Pick<OutputRequest, Amount>>): Amount[] {
  return amounts.filter((amount) => request[amount] !== undefined);
}

/** The requested state: off, on, or a position or duty cycle, %. */
export function askedState(request: Pick<OutputRequest, 'state' | 'duty_cycle_pct' | 'value'>): 'on' | 'off' | number {
  return request.state ? (request.duty_cycle_pct ?? request.value ?? 'on') : 'off';
}

/** Whether a switch can keep a duty cycle, %, with the minimum time off that the command asks for, s. */
export function keepsDuty(duty_pct: number, channel: OutputChannel, min_off_s = 0): boolean {
  return relayCycle(duty_pct, { ...channel, min_off_s: Math.max(channel.min_off_s, min_off_s) }) !== undefined;
}
