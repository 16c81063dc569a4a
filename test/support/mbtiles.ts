import Sqlite from 'better-sqlite3';
import { pixel } from './providers.ts';

interface Contents {
  metadata?: Record<string, string>;
  /** zoom, column, row from the south */
  tiles?: readonly (readonly [z: number, x: number, row: number, data?: Buffer])[];
}

/** A map file of one tile; default z 2, x 1, y 3 from the north. */
export function writeMbTiles(
  file: string,
  {
    metadata = { name: 'Farm', format: 'png', minzoom: '2', maxzoom: '2', attribution: 'Survey' },
    tiles = [[2, 1, 0]],
  }: Contents = {},
): void {
  const db = new Sqlite(file);
  db.exec(`
    CREATE TABLE metadata (name text, value text);
    CREATE TABLE tiles (zoom_level integer, tile_column integer, tile_row integer, tile_data blob);
    CREATE UNIQUE INDEX tile_index ON tiles (zoom_level, tile_column, tile_row);`);
  const put = db.prepare('INSERT INTO tiles VALUES (?, ?, ?, ?)');
  for (const [name, value] of Object.entries(metadata))
    db.prepare('INSERT INTO metadata VALUES (?, ?)').run(name, value);
  for (const [z, x, row, data = pixel] of tiles) put.run(z, x, row, data);
  db.close();
}
