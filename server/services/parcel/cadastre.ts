import { isoOf } from '../../contract/time.ts';
import type { Actor, AuditSink } from '../../auth/actor.ts';
import type { Now } from '../../auth/now.ts';
import { mostCadastres, type Cadastre, type cadastreEndpoints } from '../../contract/cadastre.ts';
import type { QueryOf } from '../../contract/endpoint.ts';
import { Refusal } from '../../contract/errors.ts';
import { why } from '../../contract/refusal-reason.ts';
import { saysDamaged, setAside } from '../../db/damaged-file.ts';
import { cadastreMigrations } from '../../db/migrations/cadastre.ts';
import { openDatabase, type Database } from '../../db/open.ts';
import { CadastreRepository, type FoundParcel } from '../../db/repositories/cadastre.ts';
import { workerEntry } from '../../worker-entry.ts';
import { cancelFlag } from '../../worker/cancelling.ts';
import { WorkerClient, WorkerError } from '../../worker/client.ts';
import type { CadastreTasks } from './cadastre-tasks.ts';

interface CadastreOptions {
  /** Path of cadastre.db, which is made when it is first needed. */
  file: string;
  clock: Now;
  audit: AuditSink;
}

interface Opened {
  db: Database;
  store: CadastreRepository;
}

/** An import that runs as a job; it reports its percentage. */
interface Importing {
  total: number;
  run: (report: (done: number) => void, signal: AbortSignal) => Promise<Cadastre>;
}

type CreateQuery = QueryOf<typeof cadastreEndpoints.create>;

/** The largest import takes a minute on a small machine; one that takes longer hangs. */
const timeoutMs = 15 * 60_000;
const lookEveryMs = 250;

/**
 * Imported parcels. They have a file of their own, because an import holds its lock for a minute and no change of the
 * settings should wait for that.
 */
export class CadastreService {
  readonly #options: CadastreOptions;
  readonly #worker: WorkerClient<CadastreRepository, CadastreTasks>;
  #opened: Promise<Opened> | undefined;

  constructor(options: CadastreOptions) {
    this.#options = options;
    this.#worker = new WorkerClient({
      entry: workerEntry('cadastre-worker', import.meta.url),
      data: options.file,
      timeoutMs,
    });
  }

  async list(): Promise<Cadastre[]> {
    return (await this.#store()).list();
  }

  async search(address: string, limit: number): Promise<FoundParcel[]> {
    return (await this.#store()).search(address, limit);
  }

  async at(place: { lat: number; lng: number }, limit: number): Promise<FoundParcel[]> {
    return (await this.#store()).at(place, limit);
  }

  /** The work of an import. Throws `conflict` at the maximum number of cadastres. */
  async importing(
    file: string | Uint8Array,
    { name, attribution, crs }: CreateQuery,
    actor: Actor,
  ): Promise<Importing> {
    if ((await this.list()).length >= mostCadastres) {
      throw new Refusal('conflict', why('too_many_cadastres', { most: mostCadastres }));
    }
    const bytes = typeof file === 'string' ? new TextEncoder().encode(file) : new Uint8Array(file);
    const imported_at = isoOf(this.#options.clock());
    const sent = { bytes, name, attribution: attribution ?? '', crs, imported_at };
    const run: Importing['run'] = async (report, signal) => {
      const progress = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const timer = setInterval(() => report(Atomics.load(progress, 0)), lookEveryMs);
      try {
        const made = await this.#worker.run('importParcels', sent, { cancelled: cancelFlag(signal), progress });
        this.#options.audit.record({ kind: 'cadastre.import', actor, target: made.unique_id, after: made });
        return made;
      } finally {
        clearInterval(timer);
      }
    };
    return { total: 100, run };
  }

  /** Throws `not_found`. */
  async remove(unique_id: string, actor: Actor): Promise<{ unique_id: string; deleted: true }> {
    const before = (await this.list()).find((one) => one.unique_id === unique_id);
    if (before === undefined || !(await this.#worker.run('removeCadastre', unique_id))) {
      throw new Refusal('not_found', 'there is no such file of parcels');
    }
    this.#options.audit.record({ kind: 'cadastre.delete', actor, target: unique_id, before });
    return { unique_id, deleted: true };
  }

  async close(): Promise<void> {
    await this.#worker.close();
    const opened = await this.#opened?.catch(() => undefined);
    opened?.db.close();
    this.#opened = undefined;
  }

  /** If it cannot be opened, the next request tries again. */
  async #store(): Promise<CadastreRepository> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return (await this.#opened).store;
  }

  /**
   * The worker opens the file first: migrating half a million parcels takes minutes, which would block everything here.
   */
  async #open(): Promise<Opened> {
    await this.#prepare();
    const db = openDatabase(this.#options.file, { migrations: cadastreMigrations });
    return { db, store: new CadastreRepository(db) };
  }

  /** A damaged file is set aside and replaced by an empty one: the parcels can be imported again. */
  async #prepare(): Promise<void> {
    const { file, clock } = this.#options;
    try {
      await this.#worker.run('prepare');
    } catch (error) {
      if (!(error instanceof WorkerError) || !saysDamaged(error.cause)) throw error;
      setAside(file, new Date(clock()));
      await this.#worker.run('prepare');
    }
  }
}
