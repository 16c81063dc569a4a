import type { Database } from 'better-sqlite3';

export interface SealedSecret {
  /** Its owner. */
  of: 'second factors' | 'notification targets' | 'settings' | 'inputs' | 'outputs' | 'displays';
  sealed: string;
}

/** Where sealed secrets are: in a column, or in JSON as a member of that name. */
const places: Record<SealedSecret['of'], string> = {
  'second factors': 'SELECT secret FROM totp',
  'notification targets': 'SELECT sealed_secret FROM notification_targets WHERE sealed_secret IS NOT NULL',
  settings: inJson('settings', 'value'),
  inputs: inJson('inputs', 'options'),
  outputs: inJson('outputs', 'options'),
  displays: inJson('lcds', 'options'),
};

/** Everything in orangery.db that is sealed with secret.key. */
export function sealedSecrets(db: Database): SealedSecret[] {
  return Object.entries(places).flatMap(([of, sql]) => {
    const found = db.prepare<[], string>(sql).pluck().all();
    return found.map((sealed) => ({ of: of as SealedSecret['of'], sealed })); // the keys of the table above
  });
}

function inJson(table: string, column: string): string {
  return `SELECT tree.value FROM ${table}, json_tree(${table}.${column}) AS tree WHERE tree.key = 'sealed' AND tree.type = 'text'`;
}
