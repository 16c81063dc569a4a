import { readFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { byPlural } from '../../contract/controller-kinds.ts';
import { input } from '../../contract/input.ts';
import { output } from '../../contract/output.ts';
import { unit } from '../../contract/unit.ts';
import { messageOf } from '../../contract/message-of.ts';
import { bindings } from '../../db/repositories/facility-bindings.ts';

const retention = z.object({
  device_id: z.string(),
  measurement_id: z.string(),
  channel: z.number(),
  raw_days: z.number(),
  rollup_days: z.number(),
});

/** The part of orangery.db that control uses. Secrets of devices stay sealed, as they are there. */
const settings = z.object({
  ...byPlural((kind) => z.array(kind.settings).catch([])),
  outputs: z.array(output),
  inputs: z.array(input).catch([]),
  units: z.array(unit).catch([]),
  retention: z.array(retention).catch([]),
  facilities: z.array(bindings).catch([]),
  site: z.record(z.string(), z.unknown()).catch({}).describe('Settings of the site that differ from the defaults'),
});
export type LastSettings = z.infer<typeof settings>;

const emergencyStop = z.object({ since_ms: z.number(), actor: z.string(), reason: z.string().nullable() });

const content = z.object({
  settings: settings.nullable().catch(null),
  emergency_stop: emergencyStop.nullable().catch(null),
});
type Content = z.infer<typeof content>;

/**
 * What a start needs in order to be safe when neither orangery.db nor control.db can be read: one plain file beside
 * them, readable without free space, index or journal. It is replaced whole, so that it is always either the former or
 * the new one.
 */
export class LastKnown {
  readonly #file: string;
  readonly #log: (line: string) => void;
  #content: Content;
  /** The present content of the file. */
  #written: string;
  #writing: Promise<void> | undefined;

  constructor(file: string, log: (line: string) => void) {
    this.#file = file;
    this.#log = log;
    this.#written = textOf(file);
    this.#content = parsed(this.#written);
  }

  /** null when none were ever read. */
  get settings(): LastSettings | null {
    return this.#content.settings;
  }

  get emergency_stop(): Content['emergency_stop'] {
    return this.#content.emergency_stop;
  }

  /** Starts to write changes; what the disk refuses is retried with the next call. */
  keep(change: Partial<Content>): void {
    this.#content = { ...this.#content, ...change };
    this.#writing ??= this.#write().finally(() => (this.#writing = undefined));
  }

  /** Resolves when nothing is being written. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  async #write(): Promise<void> {
    for (let text = this.#text(); text !== this.#written; text = this.#text()) {
      const partial = `${this.#file}.partial`;
      try {
        await writeFile(partial, text, { mode: 0o600, flush: true });
        await rename(partial, this.#file);
        this.#written = text;
      } catch (error) {
        this.#log(`what a start falls back on was not kept: ${messageOf(error)}`);
        return rm(partial, { force: true }).catch(() => undefined);
      }
    }
  }

  #text(): string {
    return `${JSON.stringify(this.#content)}\n`;
  }
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function parsed(text: string): Content {
  try {
    return content.parse(JSON.parse(text));
  } catch {
    return { settings: null, emergency_stop: null };
  }
}
