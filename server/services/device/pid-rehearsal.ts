import { Refusal, refuseField, refusePlainly } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { drivenSides, type Pid } from '../../contract/pid.ts';
import {
  rehearsableParts,
  type PidRehearsal,
  type PidRehearsalRequest,
  type RehearsableQuantity,
  type RehearsedPart,
} from '../../contract/pid-rehearsal.ts';
import { measuredDevices, type ControllerStores } from '../../db/repositories/controller-stores.ts';
import { rehearsalSteps } from '../../domain/rehearsal/pid-rehearsal.ts';
import { WorkerClient } from '../../worker/client.ts';
import { workerEntry } from '../../worker-entry.ts';
import type { PidRehearsalTasks } from './pid-rehearsal-tasks.ts';

/** About a tenth of a millisecond each. */
const mostSteps = 100_000;
const timeoutMs = 30_000;
/** Maximum callers at one time. */
const mostAtOnce = 4;

/** Tries gains of PIDs on a simulated house, in a worker; nothing is commanded. */
export class PidRehearsalService {
  readonly #kinds: ControllerStores;
  readonly #worker = new WorkerClient<null, PidRehearsalTasks>({
    entry: workerEntry('pid-rehearsal-worker', import.meta.url),
    data: null,
    timeoutMs,
  });
  #running = 0;

  constructor({ kinds }: { kinds: ControllerStores }) {
    this.#kinds = kinds;
  }

  /** Throws `not_found`, `invalid_field`, `rate_limited`. */
  async run(id: string, asked: PidRehearsalRequest): Promise<PidRehearsal> {
    const pid = this.#kinds.pid.get(id);
    if (pid === undefined) throw new Refusal('not_found', 'no such PID');
    const { quantity, unit } = this.#measured(pid);
    const [raise, lower] = [
      this.#part(pid, 'raise', { quantity, asked }),
      this.#part(pid, 'lower', { quantity, asked }),
    ];
    if (asked.from === asked.to) throw refuseField('invalid_field', 'to', why('same_setpoint'));
    if (rehearsalSteps(asked, pid) > mostSteps)
      throw refuseField('invalid_field', 'hours', why('too_many_steps', { most: mostSteps }));
    if (this.#running >= mostAtOnce)
      throw new Refusal('rate_limited', 'others try theirs just now', { headers: { 'Retry-After': '5' } });
    this.#running += 1;
    try {
      const found = await this.#worker.run('rehearse', { pid, quantity, raise, lower, asked });
      return { pid_id: pid.unique_id, unit, raise, lower, ...found };
    } finally {
      this.#running -= 1;
    }
  }

  close(): Promise<void> {
    return this.#worker.end();
  }

  #measured({ measurement }: Pid): { quantity: RehearsableQuantity; unit: string } {
    const found = measuredDevices(this.#kinds).series(measurement);
    const quantity = (Object.keys(rehearsableParts) as RehearsableQuantity[]).find((one) => one === found?.measurement); // its keys
    if (found === undefined || quantity === undefined)
      throw refuseField(
        'invalid_field',
        'gains',
        why('not_simulated', { quantities: Object.keys(rehearsableParts).join(', ') }),
      );
    return { quantity, unit: found.unit };
  }

  /** What an output affects: as requested, as its simulated device says, or the default. */
  #part(
    pid: Pid,
    side: 'raise' | 'lower',
    { quantity, asked }: { quantity: RehearsableQuantity; asked: PidRehearsalRequest },
  ): RehearsedPart | null {
    const driven = drivenSides(pid).includes(side) ? pid[side] : null;
    if (driven === null) return null;
    const parts: readonly RehearsedPart[] = rehearsableParts[quantity][side];
    const wanted = asked[side];
    if (wanted !== undefined && !parts.includes(wanted))
      throw refusePlainly('invalid_field', side, `must be one of ${parts.join(', ')}`);
    const own: unknown = this.#kinds.output.get(driven.output_id)?.options['part'];
    return wanted ?? parts.find((one) => one === own) ?? parts[0] ?? null;
  }
}
