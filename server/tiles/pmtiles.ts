import { open, type FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';
import {
  Compression,
  PMTiles,
  SharedPromiseCache,
  TileType,
  type Header,
  type RangeResponse,
  type Source,
} from 'pmtiles';
import {
  layerNames,
  MapFileError,
  mostTileBytes,
  type MapFile,
  type MapFileAbout,
  type TilePlace,
} from './map-file.ts';

const unpackers = {
  [Compression.Gzip]: promisify(gunzip),
  [Compression.Brotli]: promisify(brotliDecompress),
  [Compression.Zstd]: promisify(zstdDecompress),
};
const rasterTypes = [TileType.Png, TileType.Jpeg, TileType.Webp];

/** Unpacked. Those of the whole world have some 250 kB; in memory an entry takes many times its bytes. */
const mostDirectoryBytes = 1024 * 1024;
/** The header, the first directory and those of the places in view. */
const keptDirectories = 8;

/** A file that stays open: a replacement is another one. */
class OpenFile implements Source {
  readonly #file: FileHandle;
  readonly #bytes: number;

  private constructor(file: FileHandle, bytes: number) {
    this.#file = file;
    this.#bytes = bytes;
  }

  static async open(path: string): Promise<OpenFile> {
    const file = await open(path, 'r');
    return new OpenFile(file, (await file.stat()).size);
  }

  getKey(): string {
    return 'file';
  }

  async getBytes(offset: number, length: number): Promise<RangeResponse> {
    const wanted = Math.min(length, this.#bytes - offset);
    if (!(wanted > 0) || wanted > mostTileBytes) throw new Error('the archive points outside itself');
    const bytes = new Uint8Array(wanted);
    const { bytesRead } = await this.#file.read(bytes, 0, wanted, offset);
    return { data: bytes.buffer.slice(0, bytesRead) };
  }

  /** Once the reads under way have ended. */
  async close(): Promise<void> {
    await this.#file.close();
  }
}

/** PMTiles, version 3: one file of tiles in the order of a Hilbert curve. */
export class PmTiles implements MapFile {
  readonly about: MapFileAbout;
  readonly #source: OpenFile;
  readonly #archive: PMTiles;

  private constructor(source: OpenFile, archive: PMTiles, about: MapFileAbout) {
    this.#source = source;
    this.#archive = archive;
    this.about = about;
  }

  /** Throws `MapFileError`. */
  static async open(path: string): Promise<PmTiles> {
    let source: OpenFile | undefined;
    try {
      source = await OpenFile.open(path);
      const directories = new SharedPromiseCache(keptDirectories, undefined, unpackerUpTo(mostDirectoryBytes));
      const archive = new PMTiles(source, directories, unpackerUpTo(mostTileBytes));
      const header = await archive.getHeader();
      return new PmTiles(source, archive, aboutOf(header, await archive.getMetadata()));
    } catch (cause) {
      await source?.close();
      throw cause instanceof MapFileError ? cause : new MapFileError('no_archive', cause);
    }
  }

  async tile({ z, x, y }: TilePlace): Promise<Buffer | undefined> {
    const found = await this.#archive.getZxy(z, x, y);
    return found && Buffer.from(found.data);
  }

  close(): void {
    this.#source.close().catch(() => undefined); // nobody reads of it any more
  }
}

function unpackerUpTo(maxOutputLength: number) {
  return async (packed: ArrayBuffer, compression: Compression): Promise<ArrayBuffer> => {
    if (packed.byteLength > maxOutputLength) throw new RangeError(`more than ${maxOutputLength} bytes`);
    if (compression === Compression.None || compression === Compression.Unknown) return packed;
    const bytes = await unpackers[compression](new Uint8Array(packed), { maxOutputLength });
    return new Uint8Array(bytes).buffer;
  };
}

function aboutOf(
  { tileType, minZoom, maxZoom, numAddressedTiles, numTileEntries }: Header,
  told: unknown,
): MapFileAbout {
  const isVector = tileType === TileType.Mvt;
  if (!isVector && !rasterTypes.includes(tileType)) throw new MapFileError('format');
  if (numAddressedTiles + numTileEntries === 0) throw new MapFileError('no_tiles');
  const values = new Map(Object.entries(typeof told === 'object' && told !== null ? told : {}));
  const text = (name: string): string => {
    const value: unknown = values.get(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    name: text('name'),
    attribution: text('attribution'),
    kind: isVector ? 'vector' : 'raster',
    min_zoom: Math.min(25, minZoom),
    max_zoom: Math.min(25, maxZoom),
    layers: isVector ? layerNames(values.get('vector_layers')) : [],
    missing_tiles: null,
    area: null,
  };
}
