import type { AuditSink } from '../../auth/actor.ts';
import { systemActor } from '../../auth/system-actor.ts';
import type { DaemonEvent, ErrandEvent } from '../../contract/daemon.ts';
import type { OutgoingTask } from '../../contract/errand.ts';
import type { ErrandRepository } from '../../db/repositories/errand.ts';
import type { NotificationRepository } from '../../db/repositories/notification.ts';
import type { ReasonReader } from '../../domain/control/reason-text.ts';
import type { NoteService } from '../record/note.ts';
import { spoken } from './errand-text.ts';

interface IntakeOptions {
  errands: Pick<ErrandRepository, 'add'>;
  notifications: Pick<NotificationRepository, 'target'>;
  notes: Pick<NoteService, 'create'>;
  audit: AuditSink;
  site: () => ReasonReader;
}

/** Longest text of a note. */
const longestNote = 10_000;

/** Takes what controllers hand over: notes are written, messages wait for the sender. */
export class ErrandIntake {
  readonly #options: IntakeOptions;

  constructor(options: IntakeOptions) {
    this.#options = options;
  }

  /** The work that an event requires, to be done inside a transaction; undefined when there is none. */
  readonly taskOf = (event: DaemonEvent): (() => void) | undefined =>
    event.kind === 'errand' ? () => this.#take(event) : undefined;

  #take(event: ErrandEvent): void {
    const { id: _id, at, kind: _kind, ...errand } = event;
    const { task } = errand;
    if (task.kind === 'note') {
      const text = spoken(task.text, errand, this.#options.site()).slice(0, longestNote);
      this.#options.notes.create(systemActor, { text, category: task.category, time: at });
      return;
    }
    const lost = this.#refusal(task);
    if (lost === null) return this.#options.errands.add({ target_id: task.target_id, at, errand });
    const after = { cause: errand.cause, action: errand.action, task, why: lost };
    this.#options.audit.record({ kind: 'message.lose', actor: systemActor, at, target: task.target_id, after });
  }

  #refusal({ target_id }: OutgoingTask): string | null {
    const target = this.#options.notifications.target(target_id);
    if (target === undefined) return 'its target is gone';
    return target.settings.is_enabled ? null : 'its target is switched off';
  }
}
