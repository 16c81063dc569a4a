import { writeFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Compression, TileType, zxyToTileId } from 'pmtiles';
import { varint } from './vector-tile.ts';

interface Contents {
  type?: TileType;
  metadata?: object;
  /** From the north. */
  tiles: readonly (readonly [z: number, x: number, y: number, data: Buffer])[];
}

const headerBytes = 127;

/** Bytes of an archive of PMTiles 3 (specification of 2022, sections 3 and 4) with one directory. */
export function pmTilesOf({ type = TileType.Png, metadata = { name: 'Farm' }, tiles }: Contents): Buffer {
  const entries = tiles
    .map(([z, x, y, data]) => ({ id: zxyToTileId(z, x, y), data: type === TileType.Mvt ? gzipSync(data) : data }))
    .sort((a, b) => a.id - b.id);
  const lengths = entries.map(({ data }) => data.length);
  const directory = gzipSync(
    Buffer.concat(
      [
        entries.length,
        ...entries.map(({ id }, at) => id - (entries[at - 1]?.id ?? 0)),
        ...entries.map(() => 1),
        ...lengths,
        ...entries.map((_, at) => (at === 0 ? 1 : 0)), // 0: follows the one before
      ].map(varint),
    ),
  );
  const told = gzipSync(JSON.stringify(metadata));
  const zooms = [...new Set(tiles.map(([z]) => z))];
  const header = Buffer.alloc(headerBytes);
  header.write('PMTiles', 'latin1');
  header.writeUInt8(3, 7);
  const dataBytes = lengths.reduce((sum, length) => sum + length, 0);
  const sections = [directory.length, told.length, 0, dataBytes];
  let at = headerBytes;
  sections.forEach((bytes, index) => {
    header.writeBigUInt64LE(BigInt(at), 8 + index * 16);
    header.writeBigUInt64LE(BigInt(bytes), 16 + index * 16);
    at += bytes;
  });
  for (const offset of [72, 80, 88]) header.writeBigUInt64LE(BigInt(entries.length), offset);
  header.writeUInt8(1, 96);
  header.writeUInt8(Compression.Gzip, 97);
  header.writeUInt8(type === TileType.Mvt ? Compression.Gzip : Compression.None, 98);
  header.writeUInt8(type, 99);
  header.writeUInt8(Math.min(...zooms), 100);
  header.writeUInt8(Math.max(...zooms), 101);
  return Buffer.concat([header, directory, told, ...entries.map(({ data }) => data)]);
}

export function writePmTiles(file: string, contents: Contents): void {
  writeFileSync(file, pmTilesOf(contents));
}
