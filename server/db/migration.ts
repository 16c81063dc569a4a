/** One step of a database file's schema; `version` counts from 1 without a gap and is kept in `user_version`. */
export interface Migration {
  version: number;
  name: string;
  sql: string;
}
