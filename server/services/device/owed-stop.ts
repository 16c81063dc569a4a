import { readFileSync } from 'node:fs';
import { open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import type { Actor } from '../../auth/actor.ts';
import { systemActor } from '../../auth/system-actor.ts';
import { codeOf } from '../../contract/code-of.ts';
import { messageOf } from '../../contract/message-of.ts';
import { actorName } from './output-command.ts';

/** Between two attempts to write what the disk refused, ms. */
const retryMs = 10_000;

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
  #isTold = false;

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

  /** Holds in this process at once; what the disk refuses is tried again. undefined: none is owed any more. */
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
          await syncFolder(dirname(this.#file));
        }
      } catch (error) {
        this.#refused(value, error);
        return;
      }
      this.#written = value;
      this.#isTold = false;
    }
  }

  #refused(value: Owed | undefined, error: unknown): void {
    setTimeout(() => this.keep(this.#value), retryMs).unref();
    if (this.#isTold) return;
    this.#isTold = true;
    const said = value === undefined ? 'that was answered is still kept' : 'without an answer is not kept yet';
    this.#warn(`the emergency stop ${said}: ${messageOf(error)}`);
  }
}

function textOf({ actor, reason }: Owed): string {
  return JSON.stringify({ actor: content.shape.actor.parse(actor), ...(reason !== undefined && { reason }) });
}

/** A new name is on disk only with its folder; systems that open no folder write it by themselves. */
async function syncFolder(folder: string): Promise<void> {
  const opened = await open(folder).catch(() => undefined);
  await opened?.sync().catch(() => undefined);
  await opened?.close();
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
