import type { Database, Statement } from 'better-sqlite3';

export interface TotpRow {
  /** Sealed. */
  secret: string;
  /** null until a code of it was shown. */
  confirmed_at: string | null;
  last_step: number;
}

/** The second factors of orangery.db: one a user, with recovery codes that are removed as they are used. */
export class TotpRepository {
  readonly #db: Database;
  readonly #get: Statement<[string], TotpRow>;

  constructor(db: Database) {
    this.#db = db;
    this.#get = db.prepare('SELECT secret, confirmed_at, last_step FROM totp WHERE user_id = ?');
  }

  get(userId: string): TotpRow | undefined {
    return this.#get.get(userId);
  }

  /** Starts afresh: the user's former factor is gone. */
  begin(userId: string, secret: string, at: string): void {
    this.remove(userId);
    this.#db.prepare('INSERT INTO totp (user_id, secret, created_at) VALUES (?, ?, ?)').run(userId, secret, at);
  }

  confirm(userId: string, at: string): void {
    this.#db.prepare('UPDATE totp SET confirmed_at = ? WHERE user_id = ?').run(at, userId);
  }

  /** Records a used code; false if one of this time step or a later one was used before. */
  take(userId: string, step: number): boolean {
    const taken = this.#db.prepare('UPDATE totp SET last_step = @step WHERE user_id = @userId AND last_step < @step');
    return taken.run({ userId, step }).changes === 1;
  }

  /** False when there was none. */
  remove(userId: string): boolean {
    return this.#db.prepare('DELETE FROM totp WHERE user_id = ?').run(userId).changes === 1;
  }

  replaceCodes(userId: string, hashes: readonly Buffer[]): void {
    this.#db.prepare('DELETE FROM recovery_codes WHERE user_id = ?').run(userId);
    const insert = this.#db.prepare('INSERT INTO recovery_codes (user_id, code_hash) VALUES (?, ?)');
    for (const hash of hashes) insert.run(userId, hash);
  }

  /** Removes a code; false if the user does not have it, or no longer. */
  takeCode(userId: string, hash: Buffer): boolean {
    const taken = this.#db.prepare('DELETE FROM recovery_codes WHERE user_id = ? AND code_hash = ?');
    return taken.run(userId, hash).changes === 1;
  }

  hasCode(userId: string, hash: Buffer): boolean {
    return (
      this.#db.prepare('SELECT 1 FROM recovery_codes WHERE user_id = ? AND code_hash = ?').get(userId, hash) !==
      undefined
    );
  }

  countCodes(userId: string): number {
    const count = this.#db.prepare<[string], number>('SELECT count(*) FROM recovery_codes WHERE user_id = ?').pluck();
    return count.get(userId) ?? 0;
  }
}
