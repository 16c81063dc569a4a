import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import type { Actor } from '../../auth/actor.ts';
import { systemActor } from '../../auth/system-actor.ts';
import { codeOf } from '../../contract/code-of.ts';
import { messageOf } from '../../contract/message-of.ts';
import { actorName } from './output-command.ts';

/** Of the actor what the audit and the next daemon name. */
const content = z.object({
  actor: z.object({
    user_id: z.string().nullable(),
    username: z.string().nullable(),
    role: z.string().nullable(),
    key_id: z.string().nullable(),
    key_name: z.string().exactOptional(),
    session_id: z.string().nullable(),
    address: z.string().nullable(),
  }),
  reason: z.string().exactOptional(),
});

interface Owed {
  actor: Actor;
  reason: string | undefined;
}

/**
 * The emergency stop that no daemon has answered, in a file beside the databases: whoever gets no answer starts the
 * application or the machine again, and the next daemon must begin with the stop all the same.
 */
export class OwedStop {
  readonly #file: string;
  readonly #warn: (message: string) => void;
  #value: Owed | undefined;
  #written: Owed | undefined;
  #writing: Promise<void> | undefined;

  constructor(file: string, warn: (message: string) => void) {
    this.#file = file;
    this.#warn = warn;
    this.#value = left(file);
    this.#written = this.#value;
  }

  get value(): Owed | undefined {
    return this.#value;
  }

  /** As the next daemon takes it. */
  get asked(): { actor: string; reason: string | null } | undefined {
    return this.#value && { actor: actorName(this.#value.actor), reason: this.#value.reason ?? null };
  }

  /** Holds in this process at once; what the disk refuses is lost with it. undefined: none is owed any more. */
  keep(value: Owed | undefined): void {
    this.#value = value;
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    while (this.#written !== this.#value) {
      const value = this.#value;
      try {
        if (value === undefined) await rm(this.#file, { force: true });
        else {
          const partial = `${this.#file}.partial`;
          await writeFile(partial, textOf(value), { mode: 0o600, flush: true });
          await rename(partial, this.#file);
        }
      } catch (error) {
        this.#warn(`the emergency stop without an answer was not kept: ${messageOf(error)}`);
        return;
      }
      this.#written = value;
    }
  }
}

function textOf({ actor, reason }: Owed): string {
  return JSON.stringify({ actor: content.shape.actor.parse(actor), ...(reason !== undefined && { reason }) });
}

/** A file that cannot be read is one of a stop: it is there while one is owed only. */
function left(file: string): Owed | undefined {
  try {
    const { actor, reason } = content.parse(JSON.parse(readFileSync(file, 'utf8')));
    return { actor: { ...actor, permissions: new Set(), scope: 'full' }, reason };
  } catch (error) {
    const isAbsent = codeOf(error) === 'ENOENT';
    return isAbsent ? undefined : { actor: systemActor, reason: undefined };
  }
}
